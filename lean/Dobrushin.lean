import Dobrushin.Ring
