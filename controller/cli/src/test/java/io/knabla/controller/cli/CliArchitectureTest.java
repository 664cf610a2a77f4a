package io.knabla.controller.cli;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** Checks the dependencies between the packages of verbs, and that nothing else of the command line uses a verb. */
@AnalyzeClasses(
        packages = "io.knabla.controller.cli",
        importOptions = {ImportOption.DoNotIncludeTests.class, ImportOption.DoNotIncludeJars.class})
class CliArchitectureTest {
    private static final String VERBS = "io.knabla.controller.cli.verbs";

    @ArchTest
    static final ArchRule VERBS_USE_ONLY_WHAT_IS_LISTED = layeredArchitecture()
            .consideringOnlyDependenciesInAnyPackage(VERBS + "..")
            .layer("list")
            .definedBy(VERBS)
            .layer("context")
            .definedBy(VERBS + ".context")
            .layer("launcher")
            .definedBy(VERBS + ".launcher")
            .layer("function")
            .definedBy(VERBS + ".function")
            .layer("traffic")
            .definedBy(VERBS + ".traffic")
            .layer("cost")
            .definedBy(VERBS + ".cost")
            .layer("model")
            .definedBy(VERBS + ".model")
            .layer("deploy")
            .definedBy(VERBS + ".deploy")
            .layer("spot")
            .definedBy(VERBS + ".spot")
            .layer("platform")
            .definedBy(VERBS + ".platform")
            .layer("topics that use no other")
            .definedBy(VERBS + ".help", VERBS + ".images", VERBS + ".invoke", VERBS + ".simulate")
            .whereLayer("list")
            .mayNotBeAccessedByAnyLayer()
            .whereLayer("context")
            .mayNotAccessAnyLayer()
            .whereLayer("launcher")
            .mayNotAccessAnyLayer()
            .whereLayer("function")
            .mayOnlyAccessLayers("context")
            .whereLayer("traffic")
            .mayOnlyAccessLayers("context", "function")
            .whereLayer("cost")
            .mayOnlyAccessLayers("context")
            .whereLayer("model")
            .mayOnlyAccessLayers("context", "cost")
            .whereLayer("deploy")
            .mayOnlyAccessLayers("context", "function", "traffic", "cost", "model")
            .whereLayer("spot")
            .mayOnlyAccessLayers("context", "function")
            .whereLayer("platform")
            .mayOnlyAccessLayers("context", "launcher")
            .whereLayer("topics that use no other")
            .mayOnlyAccessLayers("context");

    @ArchTest
    static final ArchRule NOTHING_BELOW_USES_A_VERB = noClasses()
            .that()
            .resideOutsideOfPackage(VERBS + "..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage(VERBS + "..");
}
