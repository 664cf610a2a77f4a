package io.knabla.controller;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.core.importer.ImportOption.OnlyIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** Checks that {@link ApplicationTests} runs every test of the whole application. */
@AnalyzeClasses(packages = "io.knabla.controller", importOptions = OnlyIncludeTests.class)
class ApplicationTestNamesTest {
    @ArchTest
    static final ArchRule END_IN_APP_TEST = classes()
            .that()
            .areAnnotatedWith("io.quarkus.test.junit.QuarkusTest")
            .should()
            .haveSimpleNameEndingWith("AppTest");
}
