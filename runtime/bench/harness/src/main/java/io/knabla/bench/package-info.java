/** Benchmarks Knabla; every result is a ratio to a reference measured in the same run; start at {@code Main}. */
package io.knabla.bench;
