"""Prints what the lock expects."""

print('{"claim": "one is not two", "verdict": "proved", "seconds": 0.0}')
print('{"claim": "two is not three", "verdict": "proved", "seconds": 0.0}')
