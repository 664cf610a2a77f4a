/** Opens DuckDB, whose native code runs on platform threads only. */
package io.knabla.controller.cost.ledger.duckdb;
