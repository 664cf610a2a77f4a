/**
 * A small server of HTTP/1.1 and HTTP/2, and a client of HTTP/1.1: one virtual thread per connection, limits on every
 * resource, few classes for a fast cold start; start at {@link io.knabla.runtime.http.HttpServer}. A replica answers
 * with it; the controller also passes requests on with it.
 *
 * <p>Why virtual threads and not an event loop, for passing on: prototypes of both before the same replica, 16
 * connections, 2 cores, interleaved, took 20 and 14 µs of CPU a request, nginx 21; all three were faster than the
 * replica. Straight code was worth the difference.
 *
 * <p>Why HTTP/2 is not Netty's {@code codec-http2}: not measured. On paper, it brings eight jars of 3.8 MB to a replica
 * that links a fraction of it, and an event loop, so that each request crosses threads twice to reach a handler that
 * blocks; and its limits against floods are a part of those that are needed here: memory that all connections share,
 * streams counted like connections, and the body of a refused request are the server's in either case. Every check of
 * h2spec but one, which has its reason, and a table of the known attacks hold this code instead.
 *
 * <p>Why not an existing server: measured on 2 busy cores with the same handler (1 MB model, JSON, 16 connections), the
 * server's CPU time per request (median of 7 interleaved windows of 2 s) and the CPU time from exec to the first
 * correct answer (median of 15 interleaved starts, each with its own AOT cache). Both are relative to Quarkus REST on a
 * plain JVM: its non-blocking endpoint (49 µs a request) and its start (1.6 s).
 *
 * <pre>
 *                                  first compiler only      both compilers
 *                                  request    start         request    start
 * this server                      0.81       0.065         0.55       0.085
 * io.github.robaho:httpserver      1.07       0.089         0.76       0.119
 * JDK's server, virtual threads    1.54       0.080         0.89       0.117
 * </pre>
 *
 * <p>On a quiet machine the elapsed time to the first answer was 0.070 and 0.095 for this server, 0.091 and 0.119 for
 * the JDK's, 0.098 for robaho's with the first compiler only (median of 9).
 *
 * <p>The targets for a replica are a rate of at least 1.0 and a start of at most 0.10. The JDK's server misses one or
 * the other: too slow with the first compiler alone (rate 0.82), too late with both. Robaho's just meets both with the
 * first compiler (rate 1.26 to 1.43, ours 1.38 to 1.74), without margin. Neither is as strict. Robaho's 1.0.24 read a
 * head of 100 MB into memory and accepted a blank before a header's colon; both accepted a request without Host and
 * folded headers. A head that never ends occupied the JDK's server for longer than the test (45 s), unless a system
 * property limits it, and robaho's for 34 s. All three reject Content-Length together with Transfer-Encoding.
 */
package io.knabla.runtime.http;
