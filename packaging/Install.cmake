# The files that `cmake --install` installs, so that another project can write
#
#   find_package(mechfmu REQUIRED)
#   mechfmu_add_fmu(my_model SOURCES my_model.cpp)
include(CMakePackageConfigHelpers)

set(cmake_folder ${CMAKE_INSTALL_LIBDIR}/cmake/mechfmu)
set(targets mechfmu_tool mechfmu_pack mechfmu_describe_main mechfmu_fmu_objects mechfmu_tabled)
foreach(folder model solver mechanics analysis model_desc)
  if(TARGET mechfmu_${folder})
    list(APPEND targets mechfmu_${folder})
    install(DIRECTORY ${folder} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/mechfmu
            FILES_MATCHING PATTERN "*.h")
  endif()
endforeach()
install(TARGETS ${targets} EXPORT mechfmuTargets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
        OBJECTS DESTINATION lib/mechfmu
        RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(EXPORT mechfmuTargets NAMESPACE mechfmu:: DESTINATION ${cmake_folder})

configure_package_config_file(packaging/mechfmuConfig.cmake.in mechfmuConfig.cmake
                              INSTALL_DESTINATION ${cmake_folder})
write_basic_package_version_file(mechfmuConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/mechfmuConfig.cmake ${PROJECT_BINARY_DIR}/mechfmuConfigVersion.cmake
              packaging/MechfmuAddFmu.cmake packaging/fmu.map
        DESTINATION ${cmake_folder})
# The kit of the tool (packaging/kit.h), and the library of models that are not compiled
install(TARGETS mechfmu_listed LIBRARY DESTINATION lib/mechfmu)
install(FILES ${PROJECT_BINARY_DIR}/packaging/mechfmu_listed.zip ${PROJECT_BINARY_DIR}/packaging/mechfmu_sources.zip
              ${PROJECT_BINARY_DIR}/packaging/mechfmu_sources.sha256
              ${PROJECT_BINARY_DIR}/packaging/installed/$<CONFIG>/mechfmu.kit packaging/fmu.map packaging/plot_csv.py
        DESTINATION lib/mechfmu)
# the page of mechfmu animate, where Node.js was there to make it
install(FILES ${PROJECT_BINARY_DIR}/viewer/viewer.html DESTINATION lib/mechfmu OPTIONAL)
# and those for other platforms, where packaging/platforms.py has made them
install(DIRECTORY ${PROJECT_SOURCE_DIR}/build/platforms DESTINATION lib/mechfmu OPTIONAL
        FILES_MATCHING PATTERN mechfmu_listed.zip PATTERN mechfmu_sources.sha256 PATTERN venv EXCLUDE PATTERN objects EXCLUDE)
if(MECHFMU_BUNDLE)
  get_target_property(eigen Eigen3::Eigen INTERFACE_INCLUDE_DIRECTORIES)
  install(DIRECTORY ${eigen}/Eigen DESTINATION lib/mechfmu/eigen)
  install(FILES ${LIBXML2_LIBRARIES} DESTINATION lib/mechfmu)
  install(FILES ${PROJECT_BINARY_DIR}/packaging/mechfmu_listed.zip ${PROJECT_BINARY_DIR}/packaging/mechfmu_sources.sha256
          DESTINATION lib/mechfmu/platforms/linux64)
endif()
if(MECHFMU_NOTICES)
  install(DIRECTORY ${MECHFMU_NOTICES}/ DESTINATION lib/mechfmu/licenses)
endif()
install(FILES ${PROJECT_BINARY_DIR}/packaging/mechfmu.bash
        DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME mechfmu)
install(FILES ${PROJECT_BINARY_DIR}/packaging/mechanism.rng DESTINATION ${CMAKE_INSTALL_DATADIR}/mechfmu)
install(FILES LICENSE README.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
