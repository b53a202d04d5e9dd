print("adtop")
