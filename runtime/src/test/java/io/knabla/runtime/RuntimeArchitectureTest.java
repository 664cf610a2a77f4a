package io.knabla.runtime;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** Dependency rules: inference may use serve, protocol and engine, protocol may use engine, never the reverse. */
@AnalyzeClasses(packages = "io.knabla.runtime", importOptions = DoNotIncludeTests.class)
class RuntimeArchitectureTest {
    @ArchTest
    static final ArchRule packagesAreFreeOfCycles =
            slices().matching("io.knabla.(**)").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule engineStandsAlone = noClasses()
            .that()
            .resideInAPackage("..runtime.engine..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("..runtime.protocol..", "..runtime.serve..", "..runtime.inference..");

    /** What a replica is must not depend on what it serves: other models than those of the engine plug in. */
    @ArchTest
    static final ArchRule aReplicaKnowsNoEngine = noClasses()
            .that()
            .resideInAPackage("..runtime.serve..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "..runtime.engine..", "..runtime.inference..", "io.knabla.functions.unit", "ai.onnxruntime..");

    @ArchTest
    static final ArchRule protocolKnowsNoServer = noClasses()
            .that()
            .resideInAPackage("..runtime.protocol..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("..runtime.serve..", "..runtime.inference..");

    @ArchTest
    static final ArchRule httpKnowsNoModel = noClasses()
            .that()
            .resideInAPackage("..runtime.http..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("..runtime.engine..", "..runtime.protocol..", "..functions..");

    @ArchTest
    static final ArchRule onlyTheEngineTouchesOnnxRuntime = noClasses()
            .that()
            .resideOutsideOfPackage("..runtime.engine..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("ai.onnxruntime..");

    @ArchTest
    static final ArchRule aReplicaLinksNothingHeavy = noClasses()
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "com.fasterxml.jackson.databind..",
                    "com.google.protobuf..",
                    "org.yaml..",
                    "io.knabla.functions.packaging..",
                    "io.knabla.functions.compiler.onnx..",
                    "io.knabla.functions.spec..");
}
