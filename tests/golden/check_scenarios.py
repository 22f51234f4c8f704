#!/usr/bin/python3
"""Checks that the named golden scenarios are those that a directory holds.

usage: check_scenarios.py DIRECTORY SCENARIO...

Exit status: 0 they are, 1 they differ, 77 the directory is not on this machine.
"""

import pathlib
import sys


def main(arguments):
    directory = pathlib.Path(arguments[0])
    if not directory.is_dir():
        print(f"skipped: no golden vectors at {directory}")
        return 77
    found = {str(manifest.parent.relative_to(directory))
             for manifest in directory.rglob("manifest.yaml")}
    named = set(arguments[1:])
    for scenario in sorted(found - named):
        print(f"{scenario} is in no list", file=sys.stderr)
    for scenario in sorted(named - found):
        print(f"{scenario} does not exist", file=sys.stderr)
    return 0 if found == named else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
