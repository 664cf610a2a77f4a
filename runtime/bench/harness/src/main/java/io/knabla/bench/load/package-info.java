/** Generates load over keep-alive connections, the same for every server measured; start at {@code ClosedLoop}. */
package io.knabla.bench.load;
