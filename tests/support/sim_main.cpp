#include "tb/run/simulation.h"
#include "tests/support/sim_test.h"

int sc_main(int argc, char** argv) {
    ::testing::InitGoogleTest(&argc, argv);
    aicore::tb::set_time_resolution();
    aicore::test::install_report_handler();
    return RUN_ALL_TESTS();
}
