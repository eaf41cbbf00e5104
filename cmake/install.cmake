# What `make install` puts in place, and the Debian package. The program makes its own completions.
include(GNUInstallDirs)

install(DIRECTORY examples/ DESTINATION ${CMAKE_INSTALL_DOCDIR}/examples
  FILES_MATCHING PATTERN *.dve PATTERN *.pml PATTERN *.aut PATTERN *.json PATTERN *.properties PATTERN *.py PATTERN cpp EXCLUDE)
install(FILES README.md CHANGELOG.md LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR}/docs FILES_MATCHING PATTERN *.md PATTERN *.schema.json)
install(CODE "
  execute_process(COMMAND \"${PROJECT_BINARY_DIR}/tideline\" completion bash OUTPUT_FILE \"${PROJECT_BINARY_DIR}/completion.bash\" COMMAND_ERROR_IS_FATAL ANY)
  execute_process(COMMAND \"${PROJECT_BINARY_DIR}/tideline\" completion man OUTPUT_FILE \"${PROJECT_BINARY_DIR}/tideline.1\" COMMAND_ERROR_IS_FATAL ANY)
  execute_process(COMMAND \"${PROJECT_BINARY_DIR}/tideline\" completion zsh OUTPUT_FILE \"${PROJECT_BINARY_DIR}/completion.zsh\" COMMAND_ERROR_IS_FATAL ANY)")
install(FILES ${PROJECT_BINARY_DIR}/tideline.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${PROJECT_BINARY_DIR}/completion.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME tideline)
install(FILES ${PROJECT_BINARY_DIR}/completion.zsh DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions RENAME _tideline)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME tideline)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_CONTACT "The Tideline authors")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "explicit-state model checker for concurrent systems")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
include(CPack)
