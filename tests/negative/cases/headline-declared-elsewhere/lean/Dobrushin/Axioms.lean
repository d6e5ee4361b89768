import Dobrushin.Statement

open Dobrushin.Statement

#print axioms dist_le_kappa
#print axioms kappa_lazy_zero
