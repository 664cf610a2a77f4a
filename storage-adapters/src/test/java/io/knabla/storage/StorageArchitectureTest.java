package io.knabla.storage;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noMethods;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;

@AnalyzeClasses(
        packages = "io.knabla.storage",
        importOptions = {ImportOption.DoNotIncludeTests.class, ImportOption.DoNotIncludeJars.class})
class StorageArchitectureTest {
    /** A replica starts with this module on its class path and pays for whatever it drags in. */
    @ArchTest
    static final ArchRule onlyTheS3AdapterNeedsMoreThanTheJdk = classes()
            .that()
            .resideOutsideOfPackage("io.knabla.storage.s3..")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage("io.knabla.storage..", "java..");

    @ArchTest
    static final ArchRule noTypeOfTheSdkLeavesTheS3Adapter = noMethods()
            .that()
            .arePublic()
            .and()
            .areDeclaredInClassesThat()
            .arePublic()
            .should(exposeTheSdk());

    @ArchTest
    static final ArchRule adaptersDoNotKnowEachOther =
            slices().matching("io.knabla.storage.(*)..").should().notDependOnEachOther();

    @ArchTest
    static final ArchRule onlyStoresPicksAnAdapter = noClasses()
            .that()
            .resideInAPackage("io.knabla.storage")
            .and()
            .doNotHaveSimpleName("Stores")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.knabla.storage.*..");

    @ArchTest
    static final ArchRule adaptersDoNotPick = noClasses()
            .that()
            .resideInAPackage("io.knabla.storage.*..")
            .should()
            .dependOnClassesThat()
            .haveFullyQualifiedName("io.knabla.storage.setup.Stores");

    private static ArchCondition<JavaMethod> exposeTheSdk() {
        return new ArchCondition<>("expose the SDK") {
            @Override
            public void check(JavaMethod method, ConditionEvents events) {
                boolean exposes = method.getAllInvolvedRawTypes().stream()
                        .anyMatch(t -> t.getPackageName().startsWith("software.amazon"));
                events.add(new SimpleConditionEvent(method, exposes, method.getFullName()));
            }
        };
    }
}
