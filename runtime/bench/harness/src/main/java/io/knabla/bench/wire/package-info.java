/** Inference requests as bytes, and answers read back and checked; start at {@code Call}. */
package io.knabla.bench.wire;
