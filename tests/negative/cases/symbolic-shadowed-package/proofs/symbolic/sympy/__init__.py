"""Not sympy."""
