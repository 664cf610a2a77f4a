/** How long from nothing to the first correct answer; start at {@code ColdBench}. */
package io.knabla.bench.cold;
