/** Merges rows into Parquet files and reads them, by DuckDB, which is loaded at the first use. */
package io.knabla.controller.cost.ledger.parquet;
