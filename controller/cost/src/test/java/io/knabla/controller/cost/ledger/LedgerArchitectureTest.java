package io.knabla.controller.cost.ledger;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** A program that only appends rows must not pay for the database. */
@AnalyzeClasses(
        packages = "io.knabla.controller.cost.ledger",
        importOptions = {ImportOption.DoNotIncludeTests.class, ImportOption.DoNotIncludeJars.class})
class LedgerArchitectureTest {
    @ArchTest
    static final ArchRule onlyTheEngineKnowsTheDatabase = noClasses()
            .that()
            .haveNameNotMatching(".*\\.(DuckDb|UsageSql).*")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("org.duckdb..", "java.sql..");

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
