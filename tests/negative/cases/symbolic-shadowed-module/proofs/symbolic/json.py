"""Not the json of Python."""
