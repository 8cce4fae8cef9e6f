#!/usr/bin/env bash
# Train the shipped models on what render_all.sh made. Usage: train_all.sh RENDERS RUNS
# All begin from weights that learnt from photographs: docs/decisions/0005-training-from-nothing.md.
set -euo pipefail
renders=${1:?usage: train_all.sh RENDERS RUNS} runs=${2:?usage: train_all.sh RENDERS RUNS}
sooee=${SOOEE:-sooee} share=${SHARE:-1}
start=$runs/start.pt
best() { echo "$runs/$1/weights/best.pt"; }
"$(dirname "$0")/fetch_start.sh" "$start"
"$sooee" train locator --renders "$renders/locator" --weights "$start" --out "$runs/locator-first"
"$sooee" render --recipe frames --first 12000 --count $((4000 / share)) --seed 21 --out "$renders/locator/train"
"$sooee" train locator-again --renders "$renders/locator" --weights "$(best locator-first)" --out "$runs/locator"
"$sooee" train pose --renders "$renders/pose" --weights "$start" --out "$runs/pose-first"
"$sooee" train pose-printed --renders "$renders/pose-printed" --weights "$(best pose-first)" --out "$runs/pose-printed"
"$sooee" train pose-more --renders "$renders/pose-more" --weights "$(best pose-printed)" --out "$runs/pose-more"
"$sooee" train pose-attitude --renders "$renders/pose-more" --weights "$(best pose-more)" --out "$runs/pose"
"$sooee" train contact --renders "$renders/contact" --weights "$start" --out "$runs/contact-first"
"$sooee" train contact-more --renders "$renders/contact-more" --weights "$(best contact-first)" --out "$runs/contact"
