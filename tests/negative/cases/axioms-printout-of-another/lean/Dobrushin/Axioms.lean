import Dobrushin.Statement

open Dobrushin.Statement

#print axioms Dobrushin.kappa_le
#print axioms dist_le_kappa
#print axioms kappa_lazy_zero
