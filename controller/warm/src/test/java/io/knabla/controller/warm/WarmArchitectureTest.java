package io.knabla.controller.warm;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.time.Clock;
import java.time.Instant;

/** Checks the dependencies between the packages of keep-warm, and that time and randomness are injected. */
@AnalyzeClasses(
        packages = "io.knabla.controller.warm",
        importOptions = {ImportOption.DoNotIncludeTests.class, ImportOption.DoNotIncludeJars.class})
class WarmArchitectureTest {
    private static final String ROOT = "io.knabla.controller.warm.";

    @ArchTest
    static final ArchRule PACKAGES_USE_ONLY_THOSE_BELOW_THEM = layeredArchitecture()
            .consideringOnlyDependenciesInAnyPackage("io.knabla.controller.warm..")
            .layer("schedule")
            .definedBy(ROOT + "schedule")
            .layer("policy")
            .definedBy(ROOT + "policy")
            .layer("live")
            .definedBy(ROOT + "live")
            .whereLayer("schedule")
            .mayNotAccessAnyLayer()
            .whereLayer("policy")
            .mayOnlyAccessLayers("schedule")
            .whereLayer("live")
            .mayOnlyAccessLayers("policy");

    @ArchTest
    static final ArchRule TIME_AND_RANDOMNESS_ARE_INJECTED = noClasses()
            .should()
            .callMethod(Instant.class, "now")
            .orShould()
            .callMethod(Clock.class, "systemUTC")
            .orShould()
            .callMethod(System.class, "currentTimeMillis")
            .orShould()
            .callMethod(System.class, "nanoTime")
            .orShould()
            .callMethod(Math.class, "random");
}
