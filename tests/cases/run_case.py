#!/usr/bin/python3
"""Runs one field case on the model and compares what happens with expectations.yaml.

usage: run_case.py AICORE CASE_DIRECTORY OUTPUT_DIRECTORY NAME

Exit status: 0 good, 77 when the cases are not on this machine, otherwise a failure.
"""

import json
import pathlib
import subprocess
import sys

import yaml

HERE = pathlib.Path(__file__).parent
SKIPPED = 77
TIMEOUT_SECONDS = 60


def expected_exit(case, variant):
    """What the case file itself asks for."""
    for check in case.get("sync_check", []):
        if check.get("variant") == variant and "policy" not in check and check["hang"]:
            return 3
    return 2 if "error" in case["expect"] and not variant else 0


def disagreement(case, entry):
    """A difference between the case file and the expectation that nothing explains, or none."""
    options = entry.get("options", [])
    if "--first" in options:
        return None  # another program
    variant = options[options.index("--variant") + 1] if "--variant" in options else None
    wanted = expected_exit(case, variant)
    if (wanted != entry["exit"]) != ("differs" in entry):
        return f"the case file asks for exit status {wanted}, expectations.yaml for {entry['exit']}"
    return None


def check(aicore, directory, output, entry):
    file = pathlib.Path(directory, entry["case"] + ".json")
    problem = disagreement(json.loads(file.read_text(encoding="utf-8")), entry)
    if problem:
        return problem
    subprocess.run([HERE / "case_to_program.py", file, output, *entry.get("options", [])],
                   check=True)
    run = subprocess.run([aicore, "run", pathlib.Path(output, "program.yaml"), "--check-protocol"],
                         check=False, capture_output=True, text=True, timeout=TIMEOUT_SECONDS)
    text = run.stdout + run.stderr
    print(text)
    if run.returncode != entry["exit"]:
        return f"exit status {run.returncode}, expected {entry['exit']}"
    for part in entry.get("says", []):
        if part not in text:
            return f"does not say: {part}"
    return None


def main(arguments):
    if len(arguments) != 4:
        print(__doc__, file=sys.stderr)
        return 2
    aicore, directory, output, name = arguments
    if not pathlib.Path(directory).is_dir():
        print(f"skipped: no field cases at {directory}; "
              "configure with -DAICORE_SHARED_DIR=<directory that has cases/>")
        return SKIPPED
    entries = yaml.safe_load((HERE / "expectations.yaml").read_text(encoding="utf-8"))
    problem = check(aicore, directory, output, entries[name])
    if problem:
        print(f"{name}: {problem}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
