package io.knabla.controller;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.time.Clock;
import java.time.Instant;
import java.time.LocalDateTime;

/** Checks the dependencies between the packages of the controller, and that time is injected. */
@AnalyzeClasses(packages = "io.knabla.controller", importOptions = DoNotIncludeTests.class)
class ArchitectureTest {
    /** A hostile model can crash a replica, never the control plane. */
    @ArchTest
    static final ArchRule THE_ENGINE_IS_NOT_LINKED =
            noClasses().should().dependOnClassesThat().resideInAnyPackage("ai.onnxruntime..", "io.knabla.runtime..");

    @ArchTest
    static final ArchRule ARROWS = layeredArchitecture()
            .consideringOnlyDependenciesInLayers()
            .layer("api")
            .definedBy("io.knabla.controller.api..")
            .layer("gateway")
            .definedBy("io.knabla.controller.local.gateway..")
            .layer("cli")
            .definedBy("io.knabla.controller.cli..")
            .layer("scale")
            .definedBy("io.knabla.controller.scale..")
            .layer("deploy")
            .definedBy("io.knabla.controller.deploy..")
            .layer("cluster")
            .definedBy(
                    "io.knabla.controller.platform",
                    "io.knabla.controller.local..",
                    "io.knabla.controller.platform.engine..")
            .layer("knative")
            .definedBy("io.knabla.controller.knative..")
            .layer("catalog")
            .definedBy("io.knabla.controller.catalog..")
            .layer("doors")
            .definedBy("io.knabla.controller.auth..")
            .layer("training")
            .definedBy("io.knabla.controller.training..")
            .layer("gc")
            .definedBy("io.knabla.controller.gc..")
            .layer("operator")
            .definedBy("io.knabla.controller.knative.reconcile..")
            .whereLayer("operator")
            .mayNotBeAccessedByAnyLayer()
            .whereLayer("training")
            .mayNotBeAccessedByAnyLayer()
            .whereLayer("api")
            .mayNotBeAccessedByAnyLayer()
            .whereLayer("gateway")
            .mayNotBeAccessedByAnyLayer()
            .whereLayer("cli")
            .mayNotBeAccessedByAnyLayer()
            .whereLayer("scale")
            .mayOnlyBeAccessedByLayers("gateway")
            .whereLayer("deploy")
            .mayOnlyBeAccessedByLayers("api", "scale", "operator", "knative")
            .whereLayer("knative")
            .mayOnlyBeAccessedByLayers("operator", "cli")
            .whereLayer("cluster")
            .mayOnlyBeAccessedByLayers("api", "gateway", "scale", "deploy", "training", "operator", "knative", "cli")
            .whereLayer("catalog")
            .mayOnlyBeAccessedByLayers(
                    "api", "gateway", "scale", "deploy", "cluster", "training", "gc", "operator", "knative")
            .whereLayer("gc")
            .mayOnlyBeAccessedByLayers("api", "deploy")
            .whereLayer("doors")
            .mayOnlyBeAccessedByLayers("api", "gateway", "deploy");

    /** Time is an argument or comes from the injected clock. */
    @ArchTest
    static final ArchRule TIME_IS_INJECTED = noClasses()
            .that()
            .resideInAnyPackage(
                    "io.knabla.controller.scale..",
                    "io.knabla.controller.catalog..",
                    "io.knabla.controller.deploy..",
                    "io.knabla.controller.gc..")
            .should()
            .callMethod(Instant.class, "now")
            .orShould()
            .callMethod(LocalDateTime.class, "now")
            .orShould()
            .callMethod(Clock.class, "systemUTC")
            .orShould()
            .callMethod(System.class, "currentTimeMillis");
}
