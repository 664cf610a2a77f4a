/** {@code bench cost}: reports of ten million usage rows, and how fast the ledger takes rows. */
package io.knabla.bench.cost;
