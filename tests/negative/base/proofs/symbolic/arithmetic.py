"""Stands for a symbolic proof: two claims, one JSON object a line."""

import json

for claim in ("one is not two", "two is not three"):
    print(json.dumps({"claim": claim, "verdict": "proved", "seconds": 0.0}))
