# mechfmu_batch(<variable> <folder> <sources>...): with MECHFMU_BATCH, files that include up to five of the sources each, because
# headers and templates that they share take most of the time of compilation; else the sources themselves. The folder is
# relative to the root, sources are relative to the folder. A batch does not mix subfolders.
#
# Files in `alone` stay alone: their unnamed namespaces have names in common with those of other files.
cmake_path(GET CMAKE_CURRENT_LIST_DIR PARENT_PATH mechfmu_root)
set(alone
    importer/run language/backend/.* language/meaning/plan_mechanics model_desc/fmi3_xml model_desc/read_description
    model_desc/terminals packaging/interrupt robots/write_text
    tests/fmu_src/.* tests/language/.* tests/mechanics/test_contact_shapes tests/mechanics/test_flexible
    tests/mechanics/test_friction tests/mechanics/test_measures tests/mechanics/test_mechanisms_drives
    tests/mechanisms/test_exact_linear_models tests/mechanisms/test_values tests/models/test_double_wishbone tests/packaging/.*
    tests/solver/count_allocations tests/solver/test_jumps_states tests/solver/test_problems tests/solver/test_real_time)
list(JOIN alone "|" alone)
function(mechfmu_batch variable folder)
  if(NOT MECHFMU_BATCH)
    set(sources ${ARGN})
    list(TRANSFORM sources PREPEND ${mechfmu_root}/${folder}/)
    set(${variable} ${sources} PARENT_SCOPE)
    return()
  endif()
  set(sources)
  set(batch)
  set(batches 0)
  set(before)
  foreach(source IN LISTS ARGN ITEMS "/")  # the last one ends the last batch
    cmake_path(GET source PARENT_PATH subfolder)
    list(LENGTH batch length)
    if(length GREATER 0 AND (length EQUAL 5 OR NOT subfolder STREQUAL before))
      math(EXPR batches "${batches} + 1")
      string(REPLACE "/" "_" name ${folder})
      set(file ${CMAKE_CURRENT_BINARY_DIR}/${name}_batch_${batches}.cpp)
      list(JOIN batch "" content)
      file(CONFIGURE OUTPUT ${file} CONTENT "${content}")
      list(APPEND sources ${file})
      set(batch)
    endif()
    set(before "${subfolder}")
    if("${folder}/${source}" MATCHES "^(${alone})\\.cpp$")
      list(APPEND sources ${mechfmu_root}/${folder}/${source})
    else()
      list(APPEND batch "#include \"${folder}/${source}\"\n")
    endif()
  endforeach()
  set(${variable} ${sources} PARENT_SCOPE)
endfunction()
