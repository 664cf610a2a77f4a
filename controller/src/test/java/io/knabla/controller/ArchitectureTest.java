package io.knabla.controller;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import java.time.Clock;
import java.time.Instant;
import java.time.LocalDateTime;
import java.util.List;

/** Checks the dependencies between the packages of the controller, and that time is injected. */
@AnalyzeClasses(packages = "io.knabla.controller", importOptions = DoNotIncludeTests.class)
class ArchitectureTest {
    static final String ROOT = "io.knabla.controller.";

    /** Packages that each add one ability to the platform; those that do not exist yet have their rule already. */
    private static final List<String> CAPABILITIES = List.of("scale", "warm", "spot", "cost");

    /**
     * What a capability may use: functions and versions, the ports of the platform, the settings, prices, pages, spot
     * policies.
     */
    private static final String[] COMMON = {
        ROOT + "billing",
        ROOT + "catalog",
        ROOT + "platform",
        ROOT + "config",
        ROOT + "home",
        ROOT + "http",
        ROOT + "machine",
        ROOT + "pages",
        ROOT + "price",
        ROOT + "spot.live",
        ROOT + "spot.policy",
        ROOT + "spot.signal",
        ROOT + "usage"
    };

    /** A hostile model can crash a replica, never the control plane. */
    @ArchTest
    static final ArchRule THE_ENGINE_IS_NOT_LINKED = noClasses()
            .should()
            .dependOnClassesThat(resideInAnyPackage("ai.onnxruntime..", "io.knabla.runtime..")
                    .and(not(resideInAnyPackage(
                            "io.knabla.runtime.errors",
                            "io.knabla.runtime.grpc",
                            "io.knabla.runtime.http",
                            "io.knabla.runtime.paths",
                            "io.knabla.runtime.relay",
                            "io.knabla.runtime.shm"))));

    /** Simulators and what was published are for {@code ./knabla simulate} alone. */
    @ArchTest
    static final ArchRule NO_SIMULATOR_IS_LINKED = noClasses().should().resideInAPackage(ROOT + "simulate..");

    /** Native code holds the carrier of a virtual thread: the ledger's one class that calls it refuses such threads. */
    @ArchTest
    static final ArchRule NATIVE_CODE_IS_CALLED_BY_THE_LEDGER_ALONE = noClasses()
            .that()
            .resideOutsideOfPackage(ROOT + "cost.ledger..")
            .should()
            .dependOnClassesThat(resideInAnyPackage("org.duckdb..", "java.sql..", "java.lang.foreign.."))
            .orShould()
            .callMethod(System.class, "load", String.class)
            .orShould()
            .callMethod(System.class, "loadLibrary", String.class);

    @ArchTest
    static final ArchRule PACKAGES_ARE_FREE_OF_CYCLES =
            slices().matching("io.knabla.(**)").should().beFreeOfCycles();

    /** Facts lead to troubles, and troubles to conditions. */
    @ArchTest
    static final ArchRule TYPES_OF_THE_STATUS_ARE_FREE_OF_CYCLES =
            slices().assignedFrom(new TypesOf(ROOT + "knative.status")).should().beFreeOfCycles();

    /**
     * What each package may use; the packages below {@code cli}, {@code cost}, {@code spot} and {@code warm} count as
     * one each. Only {@code app} may use everything.
     */
    @ArchTest
    static final ArchRule ARROWS = new Layers()
            .layer("aot")
            .layer(
                    "api",
                    "auth",
                    "benchmark",
                    "billing",
                    "catalog",
                    "config",
                    "cost",
                    "deploy",
                    "errors",
                    "gc",
                    "machine",
                    "models",
                    "pages",
                    "platform",
                    "spot",
                    "usage")
            .layer("auth", "config", "errors")
            .layer("benchmark", "config", "home", "local", "machine", "platform", "platform.engine")
            .layer("billing", "price", "usage")
            .layer("catalog")
            .layer(
                    "cli",
                    "billing",
                    "home",
                    "http",
                    "knative.capacity",
                    "knative.client",
                    "knative.preflight",
                    "knative.resource",
                    "machine",
                    "traffic",
                    "warm")
            .layer("config", "home", "machine")
            .layer(
                    "cost",
                    "billing",
                    "catalog",
                    "config",
                    "home",
                    "http",
                    "machine",
                    "pages",
                    "platform",
                    "price",
                    "usage")
            .layer(
                    "deploy",
                    "benchmark",
                    "catalog",
                    "config",
                    "gc",
                    "home",
                    "machine",
                    "models",
                    "platform",
                    "platform.engine")
            .layer("errors")
            .layer("front", "auth", "config", "errors")
            .layer("gc", "catalog", "config", "platform")
            .layer("home")
            .layer("http")
            .layer(
                    "knative",
                    "catalog",
                    "config",
                    "knative.calls",
                    "knative.capacity",
                    "knative.client",
                    "knative.resource",
                    "machine",
                    "platform",
                    "spot")
            .layer("knative.calls")
            .layer("knative.capacity", "knative.resource", "machine")
            .layer("knative.client")
            .layer(
                    "knative.interruption",
                    "catalog",
                    "config",
                    "knative",
                    "knative.capacity",
                    "knative.leader",
                    "knative.resource",
                    "knative.rights",
                    "knative.signal",
                    "knative.usage",
                    "machine",
                    "platform",
                    "spot")
            .layer(
                    "knative.jobs",
                    "config",
                    "home",
                    "knative.logs",
                    "knative.manifest",
                    "knative.resource",
                    "machine",
                    "platform.engine")
            .layer("knative.leader", "config")
            .layer("knative.logs", "catalog", "config", "knative", "platform")
            .layer(
                    "knative.manifest",
                    "catalog",
                    "home",
                    "knative",
                    "knative.capacity",
                    "knative.resource",
                    "knative.settings",
                    "machine",
                    "platform",
                    "spot",
                    "traffic")
            .layer(
                    "knative.placement",
                    "catalog",
                    "config",
                    "cost",
                    "knative",
                    "knative.signal",
                    "machine",
                    "platform",
                    "scale",
                    "scale.fleet",
                    "spot",
                    "usage")
            .layer("knative.preflight", "knative.settings")
            .layer(
                    "knative.reconcile",
                    "catalog",
                    "config",
                    "cost",
                    "deploy",
                    "home",
                    "knative",
                    "knative.capacity",
                    "knative.leader",
                    "knative.manifest",
                    "knative.preflight",
                    "knative.resource",
                    "knative.rights",
                    "knative.settings",
                    "knative.status",
                    "knative.usage",
                    "machine",
                    "models",
                    "platform",
                    "price")
            .layer("knative.resource")
            .layer("knative.rights", "config", "knative.calls", "knative.leader")
            .layer("knative.settings")
            .layer(
                    "knative.signal",
                    "config",
                    "knative",
                    "knative.leader",
                    "knative.resource",
                    "knative.usage",
                    "platform",
                    "spot")
            .layer(
                    "knative.status",
                    "catalog",
                    "deploy",
                    "knative.capacity",
                    "knative.manifest",
                    "knative.resource",
                    "knative.rights",
                    "machine")
            .layer(
                    "knative.usage",
                    "catalog",
                    "config",
                    "cost",
                    "http",
                    "knative",
                    "knative.capacity",
                    "knative.leader",
                    "knative.resource",
                    "machine",
                    "platform",
                    "price",
                    "usage")
            .layer(
                    "knative.wake",
                    "catalog",
                    "config",
                    "http",
                    "knative",
                    "knative.leader",
                    "knative.manifest",
                    "knative.resource",
                    "machine")
            .layer(
                    "local",
                    "catalog",
                    "config",
                    "cost",
                    "home",
                    "local.liveness",
                    "local.pool",
                    "local.usage",
                    "machine",
                    "platform",
                    "platform.engine",
                    "spot",
                    "usage")
            .layer("local.gateway", "catalog", "config", "errors", "front", "platform", "scale")
            .layer("local.liveness")
            .layer("local.pool")
            .layer("local.usage", "catalog", "cost", "machine", "platform", "price", "usage")
            .layer("machine")
            .layer("models", "auth", "config", "home")
            .layer("pages")
            .layer("platform", "catalog", "machine", "spot")
            .layer("platform.engine", "config", "machine")
            .layer("price", "usage")
            .layer("scale", "catalog", "config", "home", "machine", "platform", "scale.fleet", "spot")
            .layer("scale.fleet", "catalog", "config", "machine", "platform", "spot")
            .layer("spot", "usage")
            .layer("traffic")
            .layer("training", "catalog", "config", "platform")
            .layer("usage")
            .layer("warm", "catalog", "config", "platform", "usage")
            .roof("app");

    @ArchTest
    static final ArchRule ONLY_STARTUP_OBSERVES_START_AND_END = noClasses()
            .that()
            .doNotHaveFullyQualifiedName(ROOT + "app.Startup")
            .should()
            .dependOnClassesThat()
            .belongToAnyOf(StartupEvent.class, ShutdownEvent.class);

    @ArchTest
    static void capabilitiesUseNoSibling(JavaClasses classes) {
        for (String capability : CAPABILITIES) {
            String own = ROOT + capability + "..";
            noClasses()
                    .that()
                    .resideInAPackage(own)
                    .should()
                    .dependOnClassesThat(resideInAPackage("io.knabla.controller..")
                            .and(not(resideInAPackage(own)))
                            .and(not(resideInAnyPackage(COMMON))))
                    .allowEmptyShould(true)
                    .check(classes);
        }
    }

    /** Time is an argument or comes from the injected clock. */
    @ArchTest
    static final ArchRule TIME_IS_INJECTED = noClasses()
            .that()
            .resideInAnyPackage(ROOT + "scale..", ROOT + "catalog..", ROOT + "deploy..", ROOT + "gc..")
            .should()
            .callMethod(Instant.class, "now")
            .orShould()
            .callMethod(LocalDateTime.class, "now")
            .orShould()
            .callMethod(Clock.class, "systemUTC")
            .orShould()
            .callMethod(System.class, "currentTimeMillis");

    /** Slices one package by top-level type. */
    private record TypesOf(String name) implements SliceAssignment {
        @Override
        public SliceIdentifier getIdentifierOf(JavaClass type) {
            return type.getPackageName().equals(name)
                    ? SliceIdentifier.of(type.getName().replaceFirst("\\$.*", ""))
                    : SliceIdentifier.ignore();
        }

        @Override
        public String getDescription() {
            return "types of " + name;
        }
    }
}
