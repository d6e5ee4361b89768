#!/usr/bin/env bash
# Writes requirements/lock.txt: every package of the `dev` extra, pinned with its hashes, except torch (torch.txt).
set -euo pipefail
cd "$(dirname "$0")/.."
venv=$(mktemp -d)
trap 'rm -rf "$venv"' EXIT
python3 -m venv "$venv"
"$venv/bin/pip" install --quiet pip-tools==7.6.2
"$venv/bin/pip-compile" --quiet --generate-hashes --extra dev --strip-extras --constraint requirements/torch.txt \
  --unsafe-package torch --unsafe-package pip --unsafe-package setuptools \
  --no-emit-index-url --no-emit-find-links --no-emit-trusted-host --no-annotate --no-header \
  --output-file requirements/lock.new pyproject.toml
{ echo "# Made by requirements/compile.sh (make lock). Do not edit."; grep -vE '^(# |dobrushin @)' requirements/lock.new; } > requirements/lock.txt
rm requirements/lock.new
