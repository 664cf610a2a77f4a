/** What a benchmark found, for people and for tools; start at {@code Report}. */
package io.knabla.bench.report;
