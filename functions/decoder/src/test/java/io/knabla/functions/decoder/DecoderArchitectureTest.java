package io.knabla.functions.decoder;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** Checks the dependencies between the packages of this module. */
@AnalyzeClasses(packages = "io.knabla.functions.decoder", importOptions = ImportOption.DoNotIncludeTests.class)
class DecoderArchitectureTest {
    @ArchTest
    static final ArchRule NO_CIRCLES =
            slices().matching("io.knabla.functions.decoder.(*)..").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule CONFIGURATIONS_KNOW_NO_FILES = noClasses()
            .that()
            .resideInAPackage("io.knabla.functions.decoder.config..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "io.knabla.functions.decoder.folder..",
                    "io.knabla.functions.decoder.graph..",
                    "io.knabla.functions.unit..");

    @ArchTest
    static final ArchRule FOLDERS_KNOW_NO_GRAPHS = noClasses()
            .that()
            .resideInAPackage("io.knabla.functions.decoder.folder..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.knabla.functions.decoder.graph..", "io.knabla.functions.compiler.onnx..");
}
