#!/usr/bin/env bash
# Train the shipped models on what render_all.sh made. Usage: train_all.sh RENDERS RUNS
# The views are a beginning for both: docs/decisions/0005-training-from-nothing.md.
set -euo pipefail
renders=${1:?usage: train_all.sh RENDERS RUNS} runs=${2:?usage: train_all.sh RENDERS RUNS}
sooee=${SOOEE:-sooee}
"$sooee" train views --renders "$renders/pose" --out "$runs/views"
"$sooee" train pose --renders "$renders/pose" --weights "$runs/views/weights/last.pt" --out "$runs/pose-first"
"$sooee" train pose-again --renders "$renders/pose" --weights "$runs/pose-first/weights/last.pt" --out "$runs/pose-again"
"$sooee" train pose-last --renders "$renders/pose" --weights "$runs/pose-again/weights/last.pt" --out "$runs/pose-last"
python=${PYTHON:-python}
"$python" scripts/average_weights.py "$runs/pose-first/weights/last.pt" "$runs/pose-last/weights/last.pt" "$runs/pose/weights/best.pt"
"$python" -c "from pathlib import Path; from vision.learn.train import export; from vision.learn.training import load_training; export(Path('$runs/pose/weights/best.pt'), load_training('pose'))"
"$sooee" train locator --renders "$renders/locator" --weights "$runs/views/weights/last.pt" --out "$runs/locator"
