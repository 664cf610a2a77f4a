/** Answers questions about costs: reads usage from the ledger, prices it, and makes reports. */
package io.knabla.controller.cost.query;
