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

/**
 * Checks the dependencies of the storage packages: only the S3 adapter uses libraries, and adapters are independent.
 */
@AnalyzeClasses(
        packages = "io.knabla.storage",
        importOptions = {ImportOption.DoNotIncludeTests.class, ImportOption.DoNotIncludeJars.class})
class StorageArchitectureTest {
    /** A replica has this module on its class path: every dependency costs start time. */
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
            .and()
            .areDeclaredInClassesThat()
            .resideInAPackage("io.knabla.storage.s3")
            .should(exposeTheSdk());

    /** Its inner packages show the SDK's types to each other, and to nobody else. */
    @ArchTest
    static final ArchRule theInsideOfTheS3AdapterIsItsOwn = noClasses()
            .that()
            .resideOutsideOfPackage("io.knabla.storage.s3..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("io.knabla.storage.s3.*..");

    @ArchTest
    static final ArchRule packagesAreFreeOfCycles =
            slices().matching("io.knabla.(**)").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule adaptersDoNotKnowEachOther =
            slices().matching("io.knabla.storage.(file|memory|s3)..").should().notDependOnEachOther();

    @ArchTest
    static final ArchRule thePortKnowsNoAdapter = noClasses()
            .that()
            .resideInAPackage("io.knabla.storage")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.knabla.storage.*..");

    @ArchTest
    static final ArchRule adaptersDoNotPick = noClasses()
            .that()
            .resideOutsideOfPackage("io.knabla.storage.setup")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("io.knabla.storage.setup");

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
