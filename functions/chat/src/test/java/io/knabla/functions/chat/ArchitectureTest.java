package io.knabla.functions.chat;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** Checks the dependencies between the packages of chat templates. */
@AnalyzeClasses(
        packages = "io.knabla.functions.chat",
        importOptions = {ImportOption.DoNotIncludeTests.class, ImportOption.DoNotIncludeJars.class})
class ArchitectureTest {
    /** A replica renders templates, and start-up pays for every class. */
    @ArchTest
    static final ArchRule NOTHING_BUT_THE_JDK_IS_NEEDED =
            noClasses().should().dependOnClassesThat().resideOutsideOfPackages("io.knabla.functions.chat..", "java..");

    @ArchTest
    static final ArchRule PACKAGES_ARE_FREE_OF_CYCLES =
            slices().matching("io.knabla.(**)").should().beFreeOfCycles();
}
