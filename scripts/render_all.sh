#!/usr/bin/env bash
# Render every set that the shipped models are trained and watched on. Usage: render_all.sh OUT
# A set that is there already is skipped; one that was stopped goes on. SHARE=200 renders a
# two-hundredth of each set: enough to try the way, not to learn from.
set -euo pipefail
out=${1:?usage: render_all.sh OUT}
sooee=${SOOEE:-sooee} python=${PYTHON:-python} share=${SHARE:-1}
here=$(dirname "$0")
# render RECIPE SEED COUNT FOLDER [FIRST]
render() {
    local count=$(($3 / share > 64 ? $3 / share : 64))
    "$sooee" render --recipe "$1" --seed "$2" --count "$count" --first "${5:-0}" --out "$out/$4"
}
"$python" "$here/fetch_photographs.py"
render frames 21 12000 locator/train
render frames 21 250 locator/val 30000
render crops 11 57000 pose/train
render crops 11 16750 pose/train 80000
render crops-printed 71 120000 pose-printed/train
render frames-doubted 72 1600 doubted
"$python" "$here/cut_doubted.py" "$out/doubted" "$out/pose-printed/train"
render crops-more 81 120000 pose-more/train
render frames-doubted-more 82 900 doubted-more
"$python" "$here/cut_doubted.py" "$out/doubted-more" "$out/pose-more/train"
render crops-test 12 3000 pose/val
for set in pose-printed pose-more; do
    ln -sfn ../pose/val "$out/$set/val"
done
render pairs 61 18000 contact/train
render pairs-more 83 22000 contact-more/train
render pairs-test 62 2000 contact/val
mkdir -p "$out/contact-more"
ln -sfn ../contact/val "$out/contact-more/val"
