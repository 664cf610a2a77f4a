package io.knabla.controller.usage;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.time.Clock;
import java.time.Instant;

/** Checks the dependencies between usage, prices and billing rules, and that time is injected. */
@AnalyzeClasses(
        packages = "io.knabla.controller",
        importOptions = {ImportOption.DoNotIncludeTests.class, ImportOption.DoNotIncludeJars.class})
class UsageArchitectureTest {
    private static final String ROOT = "io.knabla.controller.";

    @ArchTest
    static final ArchRule PACKAGES_USE_ONLY_THOSE_BELOW_THEM = layeredArchitecture()
            .consideringOnlyDependenciesInAnyPackage("io.knabla.controller..")
            .layer("usage")
            .definedBy(ROOT + "usage")
            .layer("price")
            .definedBy(ROOT + "price")
            .layer("billing")
            .definedBy(ROOT + "billing")
            .ensureAllClassesAreContainedInArchitecture()
            .whereLayer("usage")
            .mayNotAccessAnyLayer()
            .whereLayer("price")
            .mayOnlyAccessLayers("usage")
            .whereLayer("billing")
            .mayOnlyAccessLayers("usage", "price");

    @ArchTest
    static final ArchRule TIME_IS_INJECTED = noClasses()
            .should()
            .callMethod(Instant.class, "now")
            .orShould()
            .callMethod(Clock.class, "systemUTC")
            .orShould()
            .callMethod(System.class, "currentTimeMillis");
}
