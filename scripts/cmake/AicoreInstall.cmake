# The package: `cmake --install`, then find_package(aicore-sc) and target aicore::hw.
include(CMakePackageConfigHelpers)

set(rooms units tlm numerics isa config mem_math mem sync observer pipe scalar cube mte fixpipe vector_math vector
          core)
set(config_dir ${CMAKE_INSTALL_LIBDIR}/cmake/aicore-sc)
set(data_dir ${CMAKE_INSTALL_DATADIR}/aicore-sc)

foreach(room IN LISTS rooms)
  set_target_properties(aicore_${room} PROPERTIES EXPORT_NAME ${room})
  install(TARGETS aicore_${room} EXPORT aicore-sc-targets
          ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
          FILE_SET HEADERS DESTINATION ${AICORE_INCLUDE_DIR})
endforeach()
set_target_properties(aicore_core PROPERTIES EXPORT_NAME hw)
add_library(aicore::hw ALIAS aicore_core) # the same name for a design that adds this directory

install(EXPORT aicore-sc-targets NAMESPACE aicore:: DESTINATION ${config_dir})
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/aicore-sc-config.cmake.in
                              ${PROJECT_BINARY_DIR}/aicore-sc-config.cmake
                              INSTALL_DESTINATION ${config_dir} PATH_VARS data_dir)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/aicore-sc-config-version.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/aicore-sc-config.cmake
              ${PROJECT_BINARY_DIR}/aicore-sc-config-version.cmake
              ${CMAKE_CURRENT_LIST_DIR}/AicoreHwDependencies.cmake
        DESTINATION ${config_dir})

install(TARGETS aicore RUNTIME)
# Where find_data_file looks for them: by their paths in the repository.
install(FILES ${PROJECT_SOURCE_DIR}/platform.yaml DESTINATION ${data_dir})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/hw/config/platforms DESTINATION ${data_dir}/hw/config)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/tb/validate DESTINATION ${data_dir}/tb
        FILES_MATCHING PATTERN "*.yaml")
