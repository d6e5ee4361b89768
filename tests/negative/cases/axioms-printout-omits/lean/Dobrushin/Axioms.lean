import Dobrushin.Statement

open Dobrushin.Statement

#print axioms kappa_unique
#print axioms kappa_lazy_zero
