# Objects that were compiled before come from ccache where it is installed, also in another clone: paths below the root of the
# repository count as relative ones. ccache has to be told that precompiled headers can be trusted; they change with the
# headers that they are made of. Targets with precompiled headers need the options ${precompiled_for_ccache}.
find_program(ccache ccache)
mark_as_advanced(ccache)
if(ccache AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  cmake_path(GET CMAKE_CURRENT_LIST_DIR PARENT_PATH root_of_paths)
  set(CMAKE_CXX_COMPILER_LAUNCHER
      ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${root_of_paths} CCACHE_NOHASHDIR=1
      CCACHE_SLOPPINESS=pch_defines,time_macros ${ccache})
  if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    set(precompiled_for_ccache -fpch-preprocess)
  else()
    set(precompiled_for_ccache "SHELL:-Xclang -fno-pch-timestamp")
  endif()
endif()
