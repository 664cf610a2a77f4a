package io.knabla.controller.cost.ledger;

import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import io.knabla.controller.cost.ledger.duckdb.DuckDb;
import java.sql.Connection;
import java.sql.DriverManager;

/** A program that only appends rows must not pay for the database. */
@AnalyzeClasses(
        packages = "io.knabla.controller.cost.ledger",
        importOptions = {ImportOption.DoNotIncludeTests.class, ImportOption.DoNotIncludeJars.class})
class LedgerArchitectureTest {
    @ArchTest
    static final ArchRule onlyTheseKnowTheDatabase = noClasses()
            .that()
            .haveNameNotMatching(".*\\.(DuckDb|UsageSql|SqlProgram).*")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("org.duckdb..", "java.sql..");

    /** It refuses virtual threads. */
    @ArchTest
    static final ArchRule oneClassOpensTheDatabase = noClasses()
            .that()
            .doNotHaveFullyQualifiedName(DuckDb.class.getName())
            .should()
            .dependOnClassesThat()
            .resideInAPackage("org.duckdb..")
            .orShould()
            .callMethodWhere(target(owner(assignableTo(Connection.class))))
            .orShould()
            .dependOnClassesThat()
            .areAssignableTo(DriverManager.class);

    @ArchTest
    static final ArchRule onlyItsFactoryKnowsTheEngine = noClasses()
            .that()
            .doNotHaveSimpleName("ParquetEngine")
            .and()
            .doNotHaveSimpleName("DuckDbEngine")
            .should()
            .dependOnClassesThat()
            .haveSimpleName("DuckDbEngine");

    @ArchTest
    static final ArchRule packagesAreFreeOfCycles =
            slices().matching("io.knabla.controller.cost.(**)").should().beFreeOfCycles();
}
