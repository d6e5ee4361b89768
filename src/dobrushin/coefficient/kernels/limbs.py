"""Sums of |x − y| for non-negative float64 numbers of any size, without rounding: 32-bit limbs over all exponents.

Every finite float64 is an integer multiple of 2**-1074, and below 2**1024.  A sum is held as 68 limbs of 32 bits in
int64 words; the bits of a number are read as integers, shifted and added to three neighbouring limbs, so nothing
depends on how the floating-point unit treats subnormals.  A word takes 2**31 additions before it can overflow
(Kulisch, Computer Arithmetic and Validity, 2013, ch. 8: the long accumulator).
"""

# mypy: allow-untyped-defs, allow-untyped-calls

from dobrushin.coefficient.kernels.jit import jit

LIMBS = 68
LIMB_BITS = 32
UNIT_EXPONENT = -1074
_MASK = (1 << LIMB_BITS) - 1
_FRACTION_BITS = 52


@jit()
def add(limbs, bits, sign):
    """Add ``sign`` times the non-negative float with these bits."""
    exponent = bits >> _FRACTION_BITS
    mantissa = bits & ((1 << _FRACTION_BITS) - 1)
    if exponent > 0:
        mantissa |= 1 << _FRACTION_BITS
        exponent -= 1
    at = exponent >> 5
    shift = exponent & 31
    low = (mantissa & _MASK) << shift
    high = (mantissa >> LIMB_BITS) << shift
    limbs[at] += sign * (low & _MASK)
    limbs[at + 1] += sign * ((low >> LIMB_BITS) + (high & _MASK))
    limbs[at + 2] += sign * (high >> LIMB_BITS)


@jit()
def carry(limbs):
    """Bring the limbs of a non-negative sum into [0, 2**32), so that they compare from the top."""
    for at in range(limbs.size - 1):
        limbs[at + 1] += limbs[at] >> LIMB_BITS
        limbs[at] &= _MASK


@jit()
def absolute_differences(bits, i, j, limbs):
    """Σ_k |x_ik − x_jk| in units of 2**-1074; ``bits`` are the floats' bits, all non-negative."""
    limbs[:] = 0
    for k in range(bits.shape[1]):
        x, y = bits[i, k], bits[j, k]  # non-negative floats are ordered as their bits are
        if x > y:
            add(limbs, x, 1)
            add(limbs, y, -1)
        elif y > x:
            add(limbs, y, 1)
            add(limbs, x, -1)
    carry(limbs)


@jit()
def compare(one, other):
    """-1, 0 or 1 as the first number is smaller, equal or larger; both after :func:`carry`."""
    for at in range(one.size - 1, -1, -1):
        if one[at] != other[at]:
            return 1 if one[at] > other[at] else -1
    return 0
