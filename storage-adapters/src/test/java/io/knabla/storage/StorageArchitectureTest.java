package io.knabla.storage;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(
        packages = "io.knabla.storage",
        importOptions = {ImportOption.DoNotIncludeTests.class, ImportOption.DoNotIncludeJars.class})
class StorageArchitectureTest {
    /** A replica starts with this module on its class path and pays for whatever it drags in. */
    @ArchTest
    static final ArchRule dependsOnTheJdkOnly =
            classes()
                    .should()
                    .onlyDependOnClassesThat()
                    .resideInAnyPackage("io.knabla.storage..", "java..");

    @ArchTest
    static final ArchRule adaptersDoNotKnowEachOther =
            slices().matching("io.knabla.storage.(*)..").should().notDependOnEachOther();

    @ArchTest
    static final ArchRule onlyStoresPicksAnAdapter =
            noClasses()
                    .that()
                    .resideInAPackage("io.knabla.storage")
                    .and()
                    .doNotHaveSimpleName("Stores")
                    .should()
                    .dependOnClassesThat()
                    .resideInAnyPackage("io.knabla.storage.*..");

    @ArchTest
    static final ArchRule adaptersDoNotPick =
            noClasses()
                    .that()
                    .resideInAPackage("io.knabla.storage.*..")
                    .should()
                    .dependOnClassesThat()
                    .haveFullyQualifiedName("io.knabla.storage.Stores");
}
