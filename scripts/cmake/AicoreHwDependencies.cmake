# External libraries of the hardware model. The installed package includes this file as well.
find_package(PkgConfig REQUIRED)
find_package(yaml-cpp REQUIRED)
pkg_check_modules(HWY REQUIRED IMPORTED_TARGET libhwy)

# SystemC: its CMake package where there is one (3.x), pkg-config on Debian.
find_package(SystemCLanguage QUIET)
if(NOT TARGET SystemC::systemc)
  pkg_check_modules(SYSTEMC REQUIRED IMPORTED_TARGET systemc)
  # Debian keeps the headers in /usr/include, where pkg-config prints no directory.
  add_library(SystemC::systemc ALIAS PkgConfig::SYSTEMC)
endif()
