#include "tb/cli/command_line.h"

#include <cstdlib>

#include <systemc>

int sc_main(int argc, char* argv[]) { return aicore::tb::run_command_line(argc, argv); }

/// In place of the library's own main: its banner would stand among the messages of this program.
int main(int argc, char* argv[]) {
    setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 0);
    return sc_core::sc_elab_and_sim(argc, argv);
}
