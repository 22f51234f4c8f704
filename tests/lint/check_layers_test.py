#!/usr/bin/python3
"""Tests that scripts/check_layers finds what it should, on little trees of its own."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

CHECK = pathlib.Path(__file__).resolve().parents[2] / "scripts" / "check_layers"
GOOD = {
    "tlm/units.h": "#include <cstdint>",
    "tlm/port.h": '#include "tlm/units.h"\n#include <systemc>',
    "hw/isa/types.h": '#include "hw/numerics/half.h"',
    "hw/isa/instruction.h": '#include "hw/isa/types.h"',
    "hw/numerics/half.h": '#include "tlm/units.h"',
    "hw/config/platform.cpp": '#include "hw/numerics/half.h"\n#include <yaml-cpp/yaml.h>',
    "hw/mem/sram.h": '#include "tlm/port.h"',
    "hw/sync/flags.h": '#include "tlm/port.h"',
    "hw/pipe/engine.h": '#include "hw/mem/sram.h"',
    "hw/cube/cube_timing.h": '#include "hw/isa/types.h"',
    "hw/cube/cube_unit.h": '#include "hw/pipe/engine.h"',
    "hw/mte/mte1_unit.h": '#include "hw/pipe/engine.h"',
    "hw/core/aic.h": '#include "hw/cube/cube_unit.h"\n#include "hw/mte/mte1_unit.h"',
    "tb/run/simulation.h": '#include "hw/core/aic.h"',
    "tests/sim/core_test.cpp": '#include "tb/run/simulation.h"',
}


def check(**changed):
    """Runs the check on the good tree with some files changed: (exit status, output)."""
    with tempfile.TemporaryDirectory() as root:
        for path, text in {**GOOD, **changed.get("files", {})}.items():
            file = pathlib.Path(root, path)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(f"// Comment\n{text}\n", encoding="utf-8")
        run = subprocess.run([sys.executable, CHECK, root], capture_output=True, text=True,
                             check=False)
        return run.returncode, run.stdout + run.stderr


class CheckLayersTest(unittest.TestCase):
    def expect_bad(self, path, text, message):
        status, output = check(files={path: text})
        self.assertEqual(status, 1, output)
        self.assertEqual(output.count("\n"), 1, output)
        self.assertTrue(output.startswith(f"{path}:2: "), output)
        self.assertIn(message, output)

    def test_accepts_the_good_tree(self):
        self.assertEqual(check(), (0, "check_layers: every include goes down\n"))

    def test_rejects_an_include_upwards(self):
        self.expect_bad("hw/mem/sram.h", '#include "hw/pipe/engine.h"', "above")
        self.expect_bad("tlm/port.h", '#include "hw/isa/types.h"', "above")
        self.expect_bad("hw/numerics/half.h", '#include "hw/isa/instruction.h"', "above")
        self.expect_bad("hw/core/aic.h", '#include "tb/run/simulation.h"', "above")
        self.expect_bad("tb/run/simulation.h", '  #  include "tests/sim/core_test.cpp"', "above")

    def test_rejects_a_neighbour(self):
        self.expect_bad("hw/cube/cube_unit.h", '#include "hw/mte/mte1_unit.h"', "beside")
        self.expect_bad("hw/mem/sram.h", '#include "hw/sync/flags.h"', "beside")

    def test_rejects_the_kernel_in_pure_files(self):
        self.expect_bad("hw/numerics/half.h", "#include <systemc>", "<systemc>")
        self.expect_bad("hw/isa/types.h", "#include <tlm_utils/simple_target_socket.h>", "<tlm_")
        self.expect_bad("tlm/units.h", "#include <tlm.h>", "<tlm.h>")
        self.expect_bad("hw/cube/cube_timing.h", '#include "hw/pipe/engine.h"', "not pure")
        self.expect_bad("hw/isa/types.h", '#include "tlm/port.h"', "not pure")

    def test_rejects_paths_that_do_not_start_at_the_root(self):
        self.expect_bad("hw/cube/cube_unit.h", '#include "cube_timing.h"', "from the root")
        self.expect_bad("hw/cube/cube_unit.h", '#include "../pipe/engine.h"', "from the root")
        self.expect_bad("hw/cube/cube_unit.h", '#include "hw/cube/../pipe/engine.h"', "from the root")
        self.expect_bad("hw/cube/cube_unit.h", "#include <hw/pipe/engine.h>", "write")

    def test_rejects_yaml_outside_of_config(self):
        self.expect_bad("tb/run/simulation.h", "#include <yaml-cpp/yaml.h>", "hw/config")

    def test_rejects_a_file_in_no_room(self):
        status, output = check(files={"hw/stray/file.h": ""})
        self.assertEqual((status, output), (1, "hw/stray/file.h:1: lies in no room\n"))


if __name__ == "__main__":
    unittest.main()
