# aicore_room(<name> SOURCES ... LINKS ...): the library of one room, aicore_<name>.
# The include root is the repository root; a room links only to rooms below it.
function(aicore_room name)
  cmake_parse_arguments(ROOM "" "" "SOURCES;LINKS;PRIVATE_LINKS" ${ARGN})
  if(ROOM_SOURCES)
    add_library(aicore_${name} STATIC ${ROOM_SOURCES})
    target_include_directories(aicore_${name} PUBLIC ${PROJECT_SOURCE_DIR})
    target_link_libraries(aicore_${name} PUBLIC ${ROOM_LINKS} PRIVATE ${ROOM_PRIVATE_LINKS})
    aicore_compile_options(aicore_${name})
  else()
    add_library(aicore_${name} INTERFACE)
    target_include_directories(aicore_${name} INTERFACE ${PROJECT_SOURCE_DIR})
    target_link_libraries(aicore_${name} INTERFACE ${ROOM_LINKS})
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
