#!/usr/bin/env bash
# Train the shipped models on what render_all.sh made. Usage: train_all.sh RENDERS RUNS
# The views are a beginning for both: docs/decisions/0005-training-from-nothing.md.
set -euo pipefail
renders=${1:?usage: train_all.sh RENDERS RUNS} runs=${2:?usage: train_all.sh RENDERS RUNS}
sooee=${SOOEE:-sooee}
"$sooee" train views --renders "$renders/pose" --out "$runs/views"
"$sooee" train pose --renders "$renders/pose" --weights "$runs/views/weights/last.pt" --out "$runs/pose-first"
"$sooee" train pose-again --renders "$renders/pose" --weights "$runs/pose-first/weights/last.pt" --out "$runs/pose-again"
"$sooee" train pose-last --renders "$renders/pose" --weights "$runs/pose-again/weights/last.pt" --out "$runs/pose"
"$sooee" train locator --renders "$renders/locator" --weights "$runs/views/weights/last.pt" --out "$runs/locator"
