/** Builds inference requests as bytes and checks the responses; start at {@code Call}. */
package io.knabla.bench.wire;
