import Dobrushin.Statement

/-! What every headline theorem depends on, as Lean reports it. -/

open Dobrushin.Statement

#print axioms kappa_is_the_maximum
#print axioms T1_exact_defect
#print axioms T2_layerwise_inequality
#print axioms T3_equality_condition
#print axioms T4_exact_slack
#print axioms T3_weight_drops_out
#print axioms Paper_inequality
#print axioms Paper_equality_condition
#print axioms T1_doubled
#print axioms T3_doubled
