"""The `sooee` program: finds each command in `vision/commands/` and turns errors into one line."""

from __future__ import annotations

import importlib
import pkgutil
import sys

import click

from scoring.errors import ScoringError
from vision import commands
from vision.errors import VisionError


class CommandFolder(click.Group):
    """A group whose commands are the modules of `vision.commands`, imported only when asked for.

    A module `vision/commands/foo_bar.py` holds a `command: click.Command` and is called
    `sooee foo-bar`.
    """

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Name every command, in alphabetical order."""
        del ctx
        names = (m.name for m in pkgutil.iter_modules(commands.__path__))
        return sorted(n.replace("_", "-") for n in names if not n.startswith("_"))

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the one command that was asked for; None when there is none of that name."""
        if cmd_name not in self.list_commands(ctx):
            return None
        module = importlib.import_module(f"vision.commands.{cmd_name.replace('-', '_')}")
        command = module.command
        if not isinstance(command, click.Command):
            raise TypeError(f"vision.commands.{cmd_name} has no click command named `command`")
        return command


@click.group(cls=CommandFolder, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="sooee")
def sooee() -> None:
    """Score a game of thrown pigs with a camera over the table."""


def main(argv: list[str] | None = None) -> None:
    """Run the program; exit code 0, 1 (refused, one clear line on stderr) or 2 (usage)."""
    try:
        sooee.main(args=argv, prog_name="sooee", standalone_mode=True)
    except (ScoringError, VisionError) as error:
        click.echo(f"sooee: {error}", err=True)
        sys.exit(1)
