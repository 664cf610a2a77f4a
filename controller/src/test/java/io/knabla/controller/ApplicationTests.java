package io.knabla.controller;

import org.junit.platform.suite.api.IncludeClassNamePatterns;
import org.junit.platform.suite.api.IncludeEngines;
import org.junit.platform.suite.api.SelectPackages;
import org.junit.platform.suite.api.Suite;

/**
 * Runs the tests of the whole Quarkus application in one process. Several processes would each build the application,
 * which takes most of the tests' time, and read the index of the test classes while another writes it.
 */
@Suite(failIfNoTests = false)
@SelectPackages("io.knabla.controller")
@IncludeEngines("junit-jupiter")
@IncludeClassNamePatterns(".*AppTest")
class ApplicationTests {}
