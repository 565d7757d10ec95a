# mechfmu_add_fmu: one line of CMake from a mechanism file or a C++ model to its FMUs.
#
#   mechfmu_add_fmu(<name> MECHANISM <file.xml> [SOURCES <file>...] [WITHOUT_MECHANISM] …)
#   mechfmu_add_fmu(<name> MECHANISM <file.xml> PLATFORMS <platform>... [WITHOUT_MECHANISM] …)
#   mechfmu_add_fmu(<name> SOURCES <file>... [ICON <picture.png>] [DIAGRAM <picture.png>]
#                   [LIBRARIES <target>...] [OUTPUT_DIRECTORY <folder>])
#
# A mechanism file becomes constant tables in C++ (<name>_mechanism.cpp in the build folder); the
# sources beside it define the functions that it declares. The FMUs contain the file, for `mechfmu
# linearize`, and its scene, for viewers, unless WITHOUT_MECHANISM is given. Without a mechanism
# file the sources define std::unique_ptr<mechfmu::System> mechfmu::make_model() (model/factory.h).
# <name> is the name of the FMU and must be an identifier of C. Importers show the picture ICON for
# the FMU, its documentation shows DIAGRAM; both may be the same picture. Building the target
# <name>_fmu, which is part of the default target, makes
#
#   <folder>/<name>.fmu        FMI 2.0
#   <folder>/<name>.fmi3.fmu   FMI 3.0
#
# where <folder> is the folder fmus of the build unless OUTPUT_DIRECTORY names another one. Both
# contain the same shared library, which exports only the FMI functions and needs only libc and
# libm, as long as the LIBRARIES are static and compiled as position-independent code.
#
# With PLATFORMS (linux64 win64 aarch64-linux darwin64 aarch64-darwin, or all) the FMUs have a
# binary for each of them and contain the mechanism as data: `mechfmu export --platform` makes them
# from the libraries of packaging/platforms.py, without compiling.
#
# Intermediate targets:
#   <name>_model      objects of the sources and of a generated one with the name
#   <name>_binary     <name>.so: the model, the FMI functions and the solver
#   <name>_describe   program: the model and model_desc; writes all other files of the FMUs

cmake_policy(VERSION 3.25)  # whatever the calling project asks for

# mechfmu_fmu_options(<compile> <link>): options for all code in an FMU, and for linking its binary:
# it omits code that the FMI functions do not reach, leaves no symbol unresolved, and calls its own
# functions even if the importer puts the functions of several FMUs into one name space.
function(mechfmu_fmu_options compile link)
  set(${compile} -ffunction-sections -fdata-sections PARENT_SCOPE)
  set(link_options -static-libstdc++ -static-libgcc -Wl,-Bsymbolic -Wl,--gc-sections -Wl,-z,defs -Wl,--as-needed)
  include(CheckLinkerFlag)
  check_linker_flag(CXX -Wl,--exclude-libs,ALL mechfmu_linker_excludes_libraries)  # not Zig's: fmu.map does it alone
  if(mechfmu_linker_excludes_libraries)
    list(APPEND link_options -Wl,--exclude-libs,ALL)
  endif()
  if(CMAKE_BUILD_TYPE MATCHES "^(Release|MinSizeRel)?$")
    list(APPEND link_options -Wl,--strip-all)
  endif()
  set(${link} ${link_options} PARENT_SCOPE)
endfunction()

# mechfmu_platforms(<fmi2> <fmi3>): the folders of the binary in an FMU. FMI 2.0 has another name
# for the usual one.
function(mechfmu_platforms fmi2 fmi3)
  set(platform ${CMAKE_SYSTEM_PROCESSOR}-linux)
  set(${fmi3} ${platform} PARENT_SCOPE)
  if(platform STREQUAL x86_64-linux)
    set(platform linux64)
  endif()
  set(${fmi2} ${platform} PARENT_SCOPE)
endfunction()

# mechfmu_compile_for_fmu(<target>): options for code in an FMU. Without optimization a model is
# many times slower, so a build without a build type is optimized, too.
function(mechfmu_compile_for_fmu target)
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON CXX_EXTENSIONS OFF
                                             CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
  target_compile_features(${target} PUBLIC cxx_std_20)
  mechfmu_fmu_options(compile_options link_options)
  target_compile_options(${target} PRIVATE ${compile_options} $<$<CONFIG:>:-O3>)
  target_compile_definitions(${target} PRIVATE $<$<CONFIG:>:NDEBUG>)
endfunction()

# mechfmu_translate(<file.xml> <file.cpp> [<folder> <scene.json>]): a mechanism file as C++, made
# anew when it or a file it includes changes; the folder gets a copy of all of them, the scene says
# what it looks like.
function(mechfmu_translate mechanism generated)
  set(prepare)
  set(copy)
  if(ARGC GREATER 2)
    set(prepare COMMAND ${CMAKE_COMMAND} -E rm -rf ${ARGV2})
    set(copy --copy ${ARGV2} --scene ${ARGV3})
  endif()
  add_custom_command(
    OUTPUT ${generated}
    ${prepare}
    COMMAND mechfmu::tool generate ${mechanism} -o ${generated} --dependencies ${generated}.d ${copy}
    DEPENDS ${mechanism} mechfmu::tool
    DEPFILE ${generated}.d
    COMMENT "Translating ${mechanism}"
    VERBATIM)
endfunction()

# mechfmu_export(<name> <folder> <mechanism> <option>...): both FMUs by the tool, made anew when the
# mechanism or a file it includes changes.
function(mechfmu_export name folder mechanism)
  set(fmu2 ${folder}/${name}.fmu)
  set(fmu3 ${folder}/${name}.fmi3.fmu)
  set(read_files ${CMAKE_CURRENT_BINARY_DIR}/${name}_mechanism.d)
  file(MAKE_DIRECTORY ${folder})
  add_custom_command(
    OUTPUT ${fmu2} ${fmu3}
    COMMAND mechfmu::tool export ${mechanism} -o ${fmu2} --dependencies ${read_files} --quiet ${ARGN}
    DEPENDS ${mechanism} mechfmu::tool
    DEPFILE ${read_files}
    COMMENT "Exporting ${name}.fmu and ${name}.fmi3.fmu"
    VERBATIM)
  add_custom_target(${name}_fmu ALL DEPENDS ${fmu2} ${fmu3})
endfunction()

function(mechfmu_add_fmu name)
  cmake_parse_arguments(PARSE_ARGV 1 FMU "WITHOUT_MECHANISM" "MECHANISM;ICON;DIAGRAM;OUTPUT_DIRECTORY"
                        "SOURCES;LIBRARIES;PLATFORMS")
  set(call "mechfmu_add_fmu(${name} ...)")
  if(NOT name MATCHES "^[A-Za-z_][A-Za-z0-9_]*$")
    message(FATAL_ERROR "${call}: the name of an FMU consists of letters, digits and _, "
                        "and does not begin with a digit.")
  endif()
  if(FMU_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "${call}: what is '${FMU_UNPARSED_ARGUMENTS}'? "
                        "There are MECHANISM, WITHOUT_MECHANISM, SOURCES, PLATFORMS, ICON, DIAGRAM, LIBRARIES and "
                        "OUTPUT_DIRECTORY.")
  endif()
  if(NOT FMU_SOURCES AND NOT FMU_MECHANISM)
    message(FATAL_ERROR "${call}: add MECHANISM <file.xml>, or SOURCES <file>... that define "
                        "mechfmu::make_model().")
  endif()
  if(FMU_PLATFORMS AND (NOT FMU_MECHANISM OR FMU_SOURCES OR FMU_LIBRARIES))
    message(FATAL_ERROR "${call}: PLATFORMS is for a MECHANISM without SOURCES and LIBRARIES: what is compiled here "
                        "runs here only.")
  endif()
  set(model_objects)
  if(FMU_MECHANISM)
    cmake_path(ABSOLUTE_PATH FMU_MECHANISM BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})
    if(NOT EXISTS ${FMU_MECHANISM})
      message(FATAL_ERROR "${call}: there is no mechanism file ${FMU_MECHANISM}.")
    endif()
    set(generated ${CMAKE_CURRENT_BINARY_DIR}/${name}_mechanism.cpp)
    set(mechanism_copy ${CMAKE_CURRENT_BINARY_DIR}/${name}_mechanism)
    if(NOT FMU_PLATFORMS)
      mechfmu_translate(${FMU_MECHANISM} ${generated} ${mechanism_copy} ${generated}.scene.json)
    endif()
    list(APPEND FMU_SOURCES ${generated})
    set(model_objects $<TARGET_OBJECTS:mechfmu::tabled>)
  endif()
  if(NOT FMU_OUTPUT_DIRECTORY)
    set(FMU_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/fmus)
  endif()
  cmake_path(ABSOLUTE_PATH FMU_OUTPUT_DIRECTORY BASE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR})
  set(pictures)
  foreach(kind ICON DIAGRAM)
    if(FMU_${kind})
      cmake_path(ABSOLUTE_PATH FMU_${kind} BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})
      if(NOT EXISTS ${FMU_${kind}})
        message(FATAL_ERROR "${call}: there is no picture ${FMU_${kind}}.")
      endif()
      string(TOLOWER ${kind} option)
      list(APPEND pictures --${option} ${FMU_${kind}})
    endif()
  endforeach()
  if(NOT CMAKE_SYSTEM_NAME STREQUAL Linux)
    message(FATAL_ERROR "${call}: FMUs are made on Linux only.")
  endif()

  if(FMU_PLATFORMS)
    if(FMU_WITHOUT_MECHANISM)
      list(APPEND pictures --without-mechanism)
    endif()
    list(JOIN FMU_PLATFORMS "," platforms)
    mechfmu_export(${name} ${FMU_OUTPUT_DIRECTORY} ${FMU_MECHANISM} --platform ${platforms} ${pictures})
    return()
  endif()

  # The model, compiled once for the binary and for its description.
  set(name_source ${CMAKE_CURRENT_BINARY_DIR}/${name}_model_name.cpp)
  file(CONFIGURE OUTPUT ${name_source} @ONLY CONTENT [[
// Generated by mechfmu_add_fmu; model/factory.h declares it.
namespace mechfmu {
const char* model_name();
const char* model_name() { return "@name@"; }
}  // namespace mechfmu
]])
  add_library(${name}_model OBJECT ${FMU_SOURCES} ${name_source})
  target_link_libraries(${name}_model PRIVATE mechfmu::mechanics mechfmu::solver ${FMU_LIBRARIES})
  mechfmu_compile_for_fmu(${name}_model)

  # The binary
  mechfmu_fmu_options(compile_options link_options)
  set(exports ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/fmu.map)
  add_library(${name}_binary MODULE $<TARGET_OBJECTS:${name}_model> ${model_objects} $<TARGET_OBJECTS:mechfmu::fmu_objects>)
  target_link_libraries(${name}_binary PRIVATE mechfmu::mechanics mechfmu::solver ${FMU_LIBRARIES})
  target_link_options(${name}_binary PRIVATE ${link_options} LINKER:--version-script=${exports})
  set_target_properties(
    ${name}_binary PROPERTIES OUTPUT_NAME ${name} PREFIX "" SUFFIX .so LINKER_LANGUAGE CXX
                              LINK_DEPENDS ${exports} BUILD_WITH_INSTALL_RPATH ON INSTALL_RPATH "")

  add_executable(${name}_describe $<TARGET_OBJECTS:${name}_model> ${model_objects}
                                  $<TARGET_OBJECTS:mechfmu::describe_main>)
  target_link_libraries(${name}_describe PRIVATE mechfmu::model_desc mechfmu::mechanics mechfmu::solver ${FMU_LIBRARIES})
  set_target_properties(${name}_describe PROPERTIES LINKER_LANGUAGE CXX)

  mechfmu_platforms(platform2 platform3)
  set(tree ${CMAKE_CURRENT_BINARY_DIR}/${name}_files)
  set(fmu2 ${FMU_OUTPUT_DIRECTORY}/${name}.fmu)
  set(fmu3 ${FMU_OUTPUT_DIRECTORY}/${name}.fmi3.fmu)
  set(binary $<TARGET_FILE:${name}_binary>)
  set(add_mechanism)
  if(FMU_MECHANISM AND NOT FMU_WITHOUT_MECHANISM)
    foreach(version fmi2 fmi3)
      list(APPEND add_mechanism COMMAND ${CMAKE_COMMAND} -E copy_directory ${mechanism_copy}
                                        ${tree}/${version}/extra/org.mechfmu.mechanism
                                COMMAND ${CMAKE_COMMAND} -E make_directory ${tree}/${version}/extra/org.mechfmu.scene
                                COMMAND ${CMAKE_COMMAND} -E copy ${generated}.scene.json
                                        ${tree}/${version}/extra/org.mechfmu.scene/scene.json)
    endforeach()
  endif()
  add_custom_command(
    OUTPUT ${fmu2} ${fmu3}
    COMMAND ${CMAKE_COMMAND} -E rm -rf ${tree}
    COMMAND ${name}_describe ${tree} ${pictures}
    ${add_mechanism}
    COMMAND mechfmu::pack ${fmu2} ${tree}/fmi2 ${binary}=binaries/${platform2}/${name}.so
    COMMAND mechfmu::pack ${fmu3} ${tree}/fmi3 ${binary}=binaries/${platform3}/${name}.so
    DEPENDS ${name}_binary ${name}_describe mechfmu::pack ${FMU_ICON} ${FMU_DIAGRAM}
    COMMENT "Packing ${name}.fmu and ${name}.fmi3.fmu"
    VERBATIM)
  add_custom_target(${name}_fmu ALL DEPENDS ${fmu2} ${fmu3})
endfunction()
