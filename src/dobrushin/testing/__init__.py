"""What the tests and the exact cross-checks share: brute force in rationals, and hypothesis strategies.

Nothing that says what is true uses the production kernels, so that agreement with them means something; ``fuzz``
compares the two.
"""
