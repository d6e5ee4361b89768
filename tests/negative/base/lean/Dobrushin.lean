import Dobrushin.Axioms
