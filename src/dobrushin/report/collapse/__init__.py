"""What ``dobrushin collapse`` found, as a part of the report."""
