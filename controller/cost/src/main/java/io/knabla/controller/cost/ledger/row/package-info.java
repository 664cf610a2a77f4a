/** Defines the rows of the ledger and writes them as JSON lines that every later version reads. */
package io.knabla.controller.cost.ledger.row;
