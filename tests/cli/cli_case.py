"""What tests of the aicore program from outside share: running it, its files and its messages."""

import json
import os
import pathlib
import subprocess
import tempfile
import unittest

OUTPUTS = ["--stats", "s.json", "--timeline", "t.json", "--vcd", "w.vcd"]
OUTPUT_FILES = {"s.json", "t.json", "w.vcd", "w.gtkw"}
GEMM = ["gemm", "--m", "48", "--n", "80", "--k", "96"]


class Result:
    def __init__(self, process):
        self.code = process.returncode
        self.out = process.stdout
        self.err = process.stderr


class CliCase(unittest.TestCase):
    program = ""              # the aicore under test
    source = pathlib.Path()   # directory of the sources

    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.directory = pathlib.Path(directory.name)

    def aicore(self, *arguments):
        return Result(subprocess.run([self.program, *arguments], cwd=self.directory, text=True,
                                     capture_output=True, check=False))

    def write(self, name, text):
        (self.directory / name).write_text(text, encoding="utf-8")

    def read(self, name):
        return (self.directory / name).read_bytes()

    def files(self):
        return {path.name for path in self.directory.iterdir()}

    def expect_bad_input(self, message, *arguments):
        """Exit code 2, exactly this message, and not one file more than before."""
        before = self.files()
        result = self.aicore(*arguments)
        self.assertEqual(result.err, f"aicore: error: {message}\n")
        self.assertEqual(result.code, 2)
        self.assertEqual(result.out, "")
        self.assertEqual(self.files(), before)

    def expect_bad_statement(self, message, statement):
        """The statement is the first of a program, in line 5, column 7."""
        self.write("p.yaml", "program: p\n"
                             "tensors: {a: {dtype: float16, shape: [16, 16]}}\n"
                             "cores:\n"
                             "  aic0:\n"
                             f"    - {statement}\n")
        self.expect_bad_input(message, "run", "p.yaml", *OUTPUTS)

    def expect_good(self, *arguments):
        result = self.aicore(*arguments)
        self.assertEqual(result.err, "")
        self.assertEqual(result.code, 0)
        return result

    def cycles(self, *arguments):
        self.expect_good(*arguments, "--quiet", "--stats", "cycles.json")
        return json.loads(self.read("cycles.json"))["cycles"]


def main(arguments, tests):
    """arguments: AICORE SOURCE_DIRECTORY TEST...    TEST is a method without its "test_"."""
    CliCase.program = os.path.abspath(arguments[0])
    CliCase.source = pathlib.Path(arguments[1]).resolve()
    suite = unittest.TestSuite(tests("test_" + name) for name in arguments[2:])
    return 0 if unittest.TextTestRunner().run(suite).wasSuccessful() else 1
