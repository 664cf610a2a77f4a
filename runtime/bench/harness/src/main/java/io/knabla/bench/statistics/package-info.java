/** From single measurements to the few numbers worth reading; start at {@code Paired}. */
package io.knabla.bench.statistics;
