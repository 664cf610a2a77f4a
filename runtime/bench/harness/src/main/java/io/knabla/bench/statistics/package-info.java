/** Summarises measurements: medians, quantiles and paired ratios; start at {@code Paired}. */
package io.knabla.bench.statistics;
