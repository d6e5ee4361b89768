namespace Dobrushin
def c := 1 -- ÿ
end Dobrushin
