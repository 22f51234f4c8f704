#!/usr/bin/python3
"""Runs one golden vector on the model: converts its manifest to a program and runs that.

usage: run_golden.py AICORE SCENARIO_DIRECTORY OUTPUT_DIRECTORY

Exit status: 0 good, 77 when the vectors are not on this machine, otherwise a failure: a manifest
that can't be converted is one too.
"""

import pathlib
import re
import subprocess
import sys

CONVERTER = pathlib.Path(__file__).with_name("manifest_to_program.py")
SKIPPED = 77


def main(arguments):
    if len(arguments) != 3:
        print(__doc__, file=sys.stderr)
        return 2
    aicore, scenario, output = arguments
    if not pathlib.Path(scenario).parents[1].is_dir():
        print(f"skipped: no golden vectors at {pathlib.Path(scenario).parents[1]}; "
              "configure with -DAICORE_SHARED_DIR=<directory that has golden/>")
        return SKIPPED
    conversion = subprocess.run([sys.executable, CONVERTER, scenario, output], check=False)
    if conversion.returncode != 0:
        print(f"{scenario} does not become a program", file=sys.stderr)
        return 1
    program = pathlib.Path(output, "program.yaml")
    manifest = pathlib.Path(scenario, "manifest.yaml").read_text(encoding="utf-8")
    arch = re.search(r"^arch: (\d+)", manifest, re.MULTILINE)[1]
    return subprocess.run([aicore, "run", program, "--platform", arch, "--check-protocol"],
                          check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
