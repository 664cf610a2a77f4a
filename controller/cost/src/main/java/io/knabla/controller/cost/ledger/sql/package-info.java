/** Runs a user's query over the usage in a process of its own, which ends at its limits. */
package io.knabla.controller.cost.ledger.sql;
