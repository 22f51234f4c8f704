# External libraries, all from the distribution's packages.
find_package(PkgConfig REQUIRED)
find_package(yaml-cpp REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(CLI11 REQUIRED)
find_package(Threads REQUIRED)
find_package(Eigen3 REQUIRED NO_MODULE)
pkg_check_modules(HWY REQUIRED IMPORTED_TARGET libhwy)
pkg_check_modules(MUPARSER REQUIRED IMPORTED_TARGET muparser)

# SystemC: its CMake package where there is one (3.x), pkg-config on Debian.
find_package(SystemCLanguage QUIET)
if(NOT TARGET SystemC::systemc)
  pkg_check_modules(SYSTEMC REQUIRED IMPORTED_TARGET systemc)
  # Debian keeps the headers in /usr/include, where pkg-config prints no directory.
  add_library(SystemC::systemc ALIAS PkgConfig::SYSTEMC)
endif()
