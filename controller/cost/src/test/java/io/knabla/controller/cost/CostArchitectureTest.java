package io.knabla.controller.cost;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.time.Clock;
import java.time.Instant;

/** Checks the dependencies between the packages of costs, and that time is injected and money is decimal. */
@AnalyzeClasses(
        packages = "io.knabla.controller.cost",
        importOptions = {ImportOption.DoNotIncludeTests.class, ImportOption.DoNotIncludeJars.class})
class CostArchitectureTest {
    private static final String ROOT = "io.knabla.controller.cost.";

    @ArchTest
    static final ArchRule packagesUseOnlyThoseBelowThem = layeredArchitecture()
            .consideringOnlyDependenciesInAnyPackage("io.knabla.controller.cost..")
            .layer("usage")
            .definedBy(ROOT + "usage")
            .layer("price")
            .definedBy(ROOT + "price")
            .layer("refresh")
            .definedBy(ROOT + "price.refresh")
            .layer("billing")
            .definedBy(ROOT + "billing")
            .layer("scenario")
            .definedBy(ROOT + "scenario")
            .layer("token")
            .definedBy(ROOT + "token")
            .layer("report")
            .definedBy(ROOT + "report")
            .layer("page")
            .definedBy(ROOT + "page")
            .layer("budget")
            .definedBy(ROOT + "budget")
            .layer("forecast")
            .definedBy(ROOT + "forecast")
            .layer("ledger")
            .definedBy(ROOT + "ledger..")
            .whereLayer("usage")
            .mayNotAccessAnyLayer()
            .whereLayer("price")
            .mayOnlyAccessLayers("usage")
            .whereLayer("refresh")
            .mayOnlyAccessLayers("usage", "price")
            .whereLayer("billing")
            .mayOnlyAccessLayers("usage", "price")
            .whereLayer("scenario")
            .mayOnlyAccessLayers("usage", "price", "billing")
            .whereLayer("token")
            .mayOnlyAccessLayers("billing")
            .whereLayer("report")
            .mayOnlyAccessLayers("usage", "price", "billing", "scenario", "token")
            .whereLayer("page")
            .mayOnlyAccessLayers("usage", "price", "billing", "scenario", "token", "report")
            .whereLayer("budget")
            .mayOnlyAccessLayers("usage", "billing", "report")
            .whereLayer("forecast")
            .mayOnlyAccessLayers("usage", "price", "billing", "scenario")
            .whereLayer("ledger")
            .mayOnlyAccessLayers("usage");

    /** DuckDB's native library takes time and memory: only Parquet files and queries of users may load it. */
    @ArchTest
    static final ArchRule onlyParquetAndQueriesNeedTheDatabase = noClasses()
            .that()
            .resideOutsideOfPackages(ROOT + "ledger.duckdb", ROOT + "ledger.parquet", ROOT + "ledger.sql")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("org.duckdb..", "java.sql..");

    @ArchTest
    static final ArchRule timeIsInjected = noClasses()
            .should()
            .callMethod(Instant.class, "now")
            .orShould()
            .callMethod(Clock.class, "systemUTC")
            .orShould()
            .callMethod(System.class, "currentTimeMillis");
}
