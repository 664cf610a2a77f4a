package io.knabla.functions;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** Checks the dependencies between the packages of the four modules below {@code functions}. */
@AnalyzeClasses(
        packages = "io.knabla.functions",
        importOptions = {ImportOption.DoNotIncludeTests.class, ArchitectureTest.NoTestJars.class})
class ArchitectureTest {
    private static final String GRAPH = "io.knabla.functions.compiler.onnx..";
    private static final String ANALYZE = "io.knabla.functions.compiler.analyze..";
    private static final String UNIT = "io.knabla.functions.unit..";
    private static final String SPEC = "io.knabla.functions.spec..";

    /** A replica carries it, and start-up pays for every class. */
    @ArchTest
    static final ArchRule UNITS_ARE_LEAN = classes()
            .that()
            .resideInAPackage(UNIT)
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                    UNIT,
                    "io.knabla.storage",
                    "com.fasterxml.jackson.core..",
                    "java.io..",
                    "java.lang..",
                    "java.nio..",
                    "java.security..",
                    "java.time..",
                    "java.util..");

    @ArchTest
    static final ArchRule UNITS_USE_NO_REGULAR_EXPRESSIONS = noClasses()
            .that()
            .resideInAPackage(UNIT)
            .should()
            .dependOnClassesThat()
            .resideInAPackage("java.util.regex");

    @ArchTest
    static final ArchRule GRAPHS_KNOW_NOTHING_ABOVE_THEM = noClasses()
            .that()
            .resideInAPackage(GRAPH)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(ANALYZE, UNIT, SPEC, "io.knabla.functions.packaging..", "io.knabla.storage..");

    @ArchTest
    static final ArchRule ANALYSIS_KNOWS_GRAPHS_ONLY = noClasses()
            .that()
            .resideInAPackage(ANALYZE)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(UNIT, SPEC, "io.knabla.functions.packaging..", "io.knabla.storage..");

    @ArchTest
    static final ArchRule THE_SPECIFICATION_STANDS_ALONE = noClasses()
            .that()
            .resideInAPackage(SPEC)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(GRAPH, ANALYZE, UNIT, "io.knabla.functions.packaging..", "io.knabla.storage..");

    /** Whoever writes a model in Java needs nothing of the platform. */
    @ArchTest
    static final ArchRule TRACES_KNOW_GRAPHS_AND_DERIVATIVES_ONLY = noClasses()
            .that()
            .resideInAPackage("io.knabla.functions.compiler.trace..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    ANALYZE,
                    UNIT,
                    SPEC,
                    "io.knabla.functions.packaging..",
                    "io.knabla.functions.compiler.optimize..",
                    "io.knabla.storage..");

    /** Gradients need floats, so no road leads from one to the other. */
    @ArchTest
    static final ArchRule QUANTISATION_KNOWS_NO_DERIVATIVES = noClasses()
            .that()
            .resideInAPackage("io.knabla.functions.compiler.optimize.quantize..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    ANALYZE,
                    UNIT,
                    SPEC,
                    "io.knabla.functions.compiler.autodiff..",
                    "io.knabla.functions.packaging..",
                    "io.knabla.storage..");

    @ArchTest
    static final ArchRule PACKAGES_ARE_FREE_OF_CYCLES =
            slices().matching("io.knabla.(**)").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule NOBODY_LINKS_THE_ENGINE_OR_THE_CONTROLLER = noClasses()
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("ai.onnxruntime..", "io.knabla.runtime..", "io.knabla.controller..", "io.quarkus..");

    /** Leaves out the tests of the other modules, which Maven puts on the class path as jars. */
    static final class NoTestJars implements ImportOption {
        @Override
        public boolean includes(Location location) {
            return !location.contains("-tests.jar");
        }
    }
}
