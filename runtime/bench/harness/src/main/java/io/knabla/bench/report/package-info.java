/** Reports benchmark results as a table and as JSON; start at {@code Report}. */
package io.knabla.bench.report;
