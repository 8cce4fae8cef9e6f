"""Write the mean of two trainings' ends, the second begun from the first, and export it to ONNX.

    python scripts/mean_weights.py FIRST.pt SECOND.pt OUT.pt locator

Weights half way between two ends of one course often read better than either (Wortsman et al.
2022, "Model soups"): docs/decisions/0005-training-from-nothing.md has what it did here.
"""

from __future__ import annotations

from pathlib import Path

import click


@click.command()
@click.argument("first", type=click.Path(path_type=Path, exists=True))
@click.argument("second", type=click.Path(path_type=Path, exists=True))
@click.argument("out", type=click.Path(path_type=Path))
@click.argument("training")
def main(first: Path, second: Path, out: Path, training: str) -> None:
    """Take the mean of FIRST and SECOND, checkpoints of the same network, into OUT."""
    import torch  # noqa: PLC0415 - the train extra's, and slow to load

    from vision.learn.train import export  # noqa: PLC0415
    from vision.learn.training import load_training  # noqa: PLC0415

    ends = [torch.load(path, map_location="cpu", weights_only=False) for path in (first, second)]
    one, two = ((end.get("ema") or end["model"]).float() for end in ends)
    theirs = one.state_dict()
    mean = {
        name: (weight + theirs[name]) / 2 if weight.is_floating_point() else weight
        for name, weight in two.state_dict().items()
    }
    two.load_state_dict(mean)
    out.parent.mkdir(parents=True, exist_ok=True)
    torch.save({**ends[1], "model": two, "ema": None}, out)
    click.echo(f"{out}, {export(out, load_training(training))}")


if __name__ == "__main__":
    main()
