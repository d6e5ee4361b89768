import Dobrushin.Statement

/-!
# What the headline theorems depend on

Lean prints, for each of them, the axioms that its proof uses. The answer is: none.
-/

open Dobrushin.Statement

#print axioms kappa_is_the_maximum
#print axioms T1_exact_defect
#print axioms T2_layerwise_inequality
#print axioms T3_equality_condition
#print axioms T4_exact_slack
#print axioms T3_weight_drops_out
#print axioms Paper_inequality
#print axioms Paper_equality_condition
#print axioms T5_contraction
#print axioms T5_submultiplicative
#print axioms T5_rollout_chain
#print axioms T5_overlap
#print axioms T5'_product_bound_attained
#print axioms T5'_two_tokens
#print axioms T6_floor
#print axioms T6_floor_is_sharp
#print axioms T6_floor_half
#print axioms T6_swap
#print axioms T6_one_sided
#print axioms T6_causal
#print axioms T6_rollout_is_lazy
#print axioms T6_rollout_normalised
#print axioms T6_rollout_equality_condition
#print axioms T6_causal_rollout
#print axioms T7_pure_attention
#print axioms T7_domination
#print axioms T8_certificate
#print axioms T8_certificate_any_weight
#print axioms T8_kappa
#print axioms T8_all_pairs
#print axioms T8_chosen_pairs
#print axioms T8_renormalised
#print axioms T1_doubled
#print axioms T3_doubled
#print axioms T7_doubly_exponential
#print axioms T7_exponents
#print axioms N1_integers
#print axioms N2_dyadic_rationals
#print axioms N3_values
#print axioms C1_strict_dominance_is_false
#print axioms C2_every_attaining_pair_is_false
#print axioms C3_one_sided_dominance_is_false
#print axioms C4_dominance_of_any_pair_is_false
#print axioms C5_equal_indices_is_false
#print axioms C6_product_without_stochastic_rows_is_false
#print axioms C7_three_tokens_are_needed
