#!/usr/bin/env bash
# Put what train_all.sh made on the shelf: files, manifest, cards; calibrated and measured.
# Usage: shelve_all.sh RENDERS RUNS [MODELS]
set -euo pipefail
renders=${1:?usage: shelve_all.sh RENDERS RUNS [MODELS]} runs=${2:?usage: shelve_all.sh RENDERS RUNS [MODELS]}
models=${3:-models}
sooee=${SOOEE:-sooee} python=${PYTHON:-python}
with="ultralytics $("$python" -c 'from importlib.metadata import version; print(version("ultralytics"))')"
setting() { sed -n "s/^$2 = \([0-9]*\).*/\1/p" "datasets/training/$1.toml"; }
# The locator learns from parts of a table at the scale of a frame shrunk to 640 pixels. Its
# threshold was chosen on 200 development frames (frames-test): 99.0 % of the pigs, 1.0 % false.
"$sooee" models add locator "$runs/locator/weights/best.onnx" --models "$models" \
    --recipe frames --seed "$(setting locator seed)" --input 640 --threshold 0.2 --trained-with "$with"
"$sooee" models add pose "$runs/pose/weights/best.onnx" --models "$models" \
    --recipe crops-more --seed "$(setting pose-attitude seed)" --input "$(setting pose-attitude image_px)" --trained-with "$with"
"$sooee" models add contact "$runs/contact/weights/best.onnx" --models "$models" \
    --recipe pairs-more --seed "$(setting contact-more seed)" --input "$(setting contact-more image_px)" --trained-with "$with"
"$sooee" models calibrate "$renders/pose-more/val" --models "$models"
"$sooee" models calibrate "$renders/contact/val" --role contact --models "$models"
"$sooee" evaluate --models "$models" --card --out "$runs/report"
