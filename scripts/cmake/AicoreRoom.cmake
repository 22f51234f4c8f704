# aicore_room(<name> SOURCES ... LINKS ... PUBLIC_HEADERS ...): the library of one room, aicore_<name>.
# The include root is the repository root; a room links only to rooms below it. PUBLIC_HEADERS are those
# that the package installs: the ones that hw/core/ai_core.h and its helpers include.
function(aicore_room name)
  cmake_parse_arguments(ROOM "" "" "SOURCES;LINKS;PRIVATE_LINKS;PUBLIC_HEADERS" ${ARGN})
  if(ROOM_SOURCES)
    add_library(aicore_${name} STATIC ${ROOM_SOURCES})
    set(scope PUBLIC)
    target_link_libraries(aicore_${name} PUBLIC ${ROOM_LINKS} PRIVATE ${ROOM_PRIVATE_LINKS})
    aicore_compile_options(aicore_${name})
  else()
    add_library(aicore_${name} INTERFACE)
    set(scope INTERFACE)
    target_link_libraries(aicore_${name} INTERFACE ${ROOM_LINKS})
  endif()
  target_compile_features(aicore_${name} ${scope} cxx_std_17)
  target_include_directories(aicore_${name} ${scope}
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}> $<INSTALL_INTERFACE:${AICORE_INCLUDE_DIR}>)
  if(ROOM_PUBLIC_HEADERS)
    target_sources(aicore_${name} ${scope} FILE_SET HEADERS BASE_DIRS ${PROJECT_SOURCE_DIR}
                   FILES ${ROOM_PUBLIC_HEADERS})
  endif()
endfunction()

function(aicore_compile_options target)
  # -ffp-contract=off: floating results must be the same bits on every machine.
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wconversion
                         -Wnon-virtual-dtor -Woverloaded-virtual -ffp-contract=off)
  if(AICORE_WERROR)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
  if(AICORE_SANITIZE)
    target_compile_options(${target} PUBLIC -fsanitize=address,undefined -fno-sanitize-recover=all
                           -fno-omit-frame-pointer)
    target_link_options(${target} PUBLIC -fsanitize=address,undefined)
  endif()
endfunction()
