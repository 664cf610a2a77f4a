/**
 * Describes what a replica did since its start, as it tells whoever started it; start at
 * {@link io.knabla.functions.unit.usage.ReplicaTotals}.
 */
package io.knabla.functions.unit.usage;
