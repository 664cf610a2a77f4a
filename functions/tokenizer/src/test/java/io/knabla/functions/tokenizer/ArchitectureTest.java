package io.knabla.functions.tokenizer;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** Checks the dependencies between the packages of the tokenizer. */
@AnalyzeClasses(
        packages = "io.knabla.functions.tokenizer",
        importOptions = {ImportOption.DoNotIncludeTests.class, ImportOption.DoNotIncludeJars.class})
class ArchitectureTest {
    /** A replica opens tables, and start-up pays for every class. */
    @ArchTest
    static final ArchRule ONLY_COMPILING_NEEDS_MORE_THAN_THE_JDK = noClasses()
            .that()
            .resideOutsideOfPackage("..tokenizer.compile..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("..tokenizer.compile..", "com.fasterxml..");

    @ArchTest
    static final ArchRule PACKAGES_ARE_FREE_OF_CYCLES =
            slices().matching("io.knabla.(**)").should().beFreeOfCycles();
}
