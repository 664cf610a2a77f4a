/** Puts load on a server over keep-alive connections, the same for everyone measured; start at {@code ClosedLoop}. */
package io.knabla.bench.load;
