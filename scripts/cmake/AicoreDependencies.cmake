# External libraries, all from the distribution's packages.
include(AicoreHwDependencies)
find_package(nlohmann_json REQUIRED)
find_package(CLI11 REQUIRED)
find_package(Threads REQUIRED)
find_package(Eigen3 REQUIRED NO_MODULE)
pkg_check_modules(MUPARSER REQUIRED IMPORTED_TARGET muparser)
