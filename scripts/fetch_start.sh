#!/usr/bin/env bash
# Fetch the weights that the models' training begins with. Usage: fetch_start.sh OUT.pt
# A YOLO11n that learnt from photographs (small birds from above); its backbone fits YOLO26n.
# From the PyPI package yolo4r (MIT); the checkpoint itself says AGPL-3.0, as Ultralytics' do.
set -euo pipefail
out=${1:?usage: fetch_start.sh OUT.pt}
python=${PYTHON:-python}
sum=2e50a8ee1c60d60cea9fa2f31ebe8e91523c62e0df6c39840cfae5f7634b5d5b
if [ -f "$out" ] && echo "$sum  $out" | sha256sum --check --status; then exit; fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$python" -m pip download --quiet --no-deps --dest "$folder" yolo4r==1.1.17
mkdir -p "$(dirname "$out")"
"$python" -m zipfile -e "$folder"/yolo4r-*.whl "$folder/open"
cp "$folder/open/yolo4r/runs/sparrows/weights/best.pt" "$out"
echo "$sum  $out" | sha256sum --check
