#!/usr/bin/env bash
# Render every set that the shipped models are trained and watched on. Usage: render_all.sh OUT
# A set that is there already is skipped; one that was stopped goes on.
set -euo pipefail
out=${1:?usage: render_all.sh OUT}
sooee=${SOOEE:-sooee} python=${PYTHON:-python}
here=$(dirname "$0")
"$python" "$here/fetch_photographs.py"
"$sooee" render --recipe frames --count 12000 --seed 21 --out "$out/locator/train"
"$sooee" render --recipe frames --first 30000 --count 250 --seed 21 --out "$out/locator/val"
"$sooee" render --recipe crops --count 57000 --seed 11 --out "$out/pose/train"
"$sooee" render --recipe crops --first 80000 --count 16750 --seed 11 --out "$out/pose/train"
"$sooee" render --recipe crops-test --count 3000 --seed 12 --out "$out/pose/val"
"$sooee" render --recipe crops-printed --count 120000 --seed 71 --out "$out/pose-printed/train"
"$sooee" render --recipe crops-test --count 3000 --seed 12 --out "$out/pose-printed/val"
"$sooee" render --recipe frames-doubted --count 1600 --seed 72 --out "$out/doubted"
"$python" "$here/cut_doubted.py" "$out/doubted" "$out/pose-printed/train"
"$sooee" render --recipe pairs --count 18000 --seed 61 --out "$out/contact/train"
"$sooee" render --recipe pairs-test --count 2000 --seed 62 --out "$out/contact/val"
