package io.knabla.controller.simulate;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.time.Clock;
import java.time.Instant;

/** Checks the dependencies between the packages of the simulators, and that time and randomness are injected. */
@AnalyzeClasses(
        packages = "io.knabla.controller.simulate",
        importOptions = {ImportOption.DoNotIncludeTests.class, ImportOption.DoNotIncludeJars.class})
class SimulateArchitectureTest {
    private static final String ROOT = "io.knabla.controller.simulate.";

    @ArchTest
    static final ArchRule PACKAGES_USE_ONLY_THOSE_BELOW_THEM = layeredArchitecture()
            .consideringOnlyDependenciesInAnyPackage("io.knabla.controller.simulate..")
            .layer("verbs")
            .definedBy(ROOT + "verbs")
            .layer("report")
            .definedBy(ROOT + "report")
            .layer("rows")
            .definedBy(ROOT + "rows")
            .layer("generation")
            .definedBy(ROOT + "generation")
            .layer("spot")
            .definedBy(ROOT + "spot")
            .layer("spot.baseline")
            .definedBy(ROOT + "spot.baseline")
            .layer("spot.trace")
            .definedBy(ROOT + "spot.trace")
            .layer("spot.report")
            .definedBy(ROOT + "spot.report")
            .layer("warm")
            .definedBy(ROOT + "warm")
            .layer("warm.baseline")
            .definedBy(ROOT + "warm.baseline")
            .layer("warm.trace")
            .definedBy(ROOT + "warm.trace")
            .layer("warm.report")
            .definedBy(ROOT + "warm.report")
            .ensureAllClassesAreContainedInArchitecture()
            .whereLayer("verbs")
            .mayNotBeAccessedByAnyLayer()
            .whereLayer("report")
            .mayNotAccessAnyLayer()
            .whereLayer("rows")
            .mayNotAccessAnyLayer()
            .whereLayer("generation")
            .mayOnlyAccessLayers("rows")
            .whereLayer("spot")
            .mayOnlyAccessLayers("spot.baseline", "spot.trace")
            .whereLayer("spot.baseline")
            .mayNotAccessAnyLayer()
            .whereLayer("spot.trace")
            .mayNotAccessAnyLayer()
            .whereLayer("spot.report")
            .mayOnlyAccessLayers("spot", "report")
            .whereLayer("warm")
            .mayOnlyAccessLayers("warm.baseline", "warm.trace")
            .whereLayer("warm.baseline")
            .mayNotAccessAnyLayer()
            .whereLayer("warm.trace")
            .mayOnlyAccessLayers("rows")
            .whereLayer("warm.report")
            .mayOnlyAccessLayers("warm", "report");

    @ArchTest
    static final ArchRule ONLY_VERBS_USE_THE_COMMAND_LINE = classes()
            .that()
            .resideOutsideOfPackage(ROOT + "verbs")
            .should()
            .onlyDependOnClassesThat()
            .resideOutsideOfPackage("io.knabla.controller.cli..");

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
