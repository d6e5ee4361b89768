"""What the tests and the exact cross-checks share: brute force in rationals, and hypothesis strategies.

Nothing here uses the production kernels, so that agreement with them means something.
"""
