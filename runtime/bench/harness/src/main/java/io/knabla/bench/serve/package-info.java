/** How many requests a second, and how long each takes; start at {@code ServeBench}. */
package io.knabla.bench.serve;
