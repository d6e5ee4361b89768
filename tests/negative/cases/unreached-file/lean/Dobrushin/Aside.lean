theorem aside : 1 = 2 := rfl
