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
    private static final String USAGE = "io.knabla.controller.usage";
    private static final String PRICE = "io.knabla.controller.price";
    private static final String BILLING = "io.knabla.controller.billing";

    @ArchTest
    static final ArchRule packagesUseOnlyThoseBelowThem = layeredArchitecture()
            .consideringOnlyDependenciesInAnyPackage(ROOT + ".", USAGE, PRICE, BILLING)
            .optionalLayer("usage")
            .definedBy(USAGE)
            .optionalLayer("price")
            .definedBy(PRICE)
            .layer("pricelist")
            .definedBy(ROOT + "pricelist")
            .optionalLayer("billing")
            .definedBy(BILLING)
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
            .whereLayer("pricelist")
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
