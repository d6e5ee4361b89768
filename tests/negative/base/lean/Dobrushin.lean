import Dobrushin.Statement
