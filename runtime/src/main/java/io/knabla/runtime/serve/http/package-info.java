/**
 * A small HTTP/1.1 server: one thread a connection, limits on everything, no class that a cold start
 * does not need; start at {@link io.knabla.runtime.serve.http.HttpFront}.
 *
 * <p>Why not the JDK's {@code com.sun.net.httpserver}: it hands each request from a selector thread
 * to a worker and back, which held it at 0.86 to 0.90 of the request rate that a replica must reach
 * and made its cold start 15 to 25 ms longer; one thread that reads, runs and writes reached 1.3.
 */
package io.knabla.runtime.serve.http;
