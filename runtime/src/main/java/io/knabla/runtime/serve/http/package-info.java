/**
 * A small HTTP/1.1 server: one thread a connection, limits on everything, no class that a cold start does not need;
 * start at {@link io.knabla.runtime.serve.http.HttpFront}.
 *
 * <p>Why not a ready one. Measured on 2 busy cores behind the same handler (1 MB model, JSON, 16 connections; CPU time
 * of the server a request, median of 7 interleaved windows of 2 s), and the CPU time from exec to the first right
 * answer (median of 15 interleaved starts, all with an AOT cache of their own). Both relative to Quarkus REST on a
 * plain JVM: its non-blocking endpoint (49 µs a request), its start (1.6 s).
 *
 * <pre>
 *                                  first compiler only      both compilers
 *                                  request    start         request    start
 * this front                       0.81       0.065         0.55       0.085
 * io.github.robaho:httpserver      1.07       0.089         0.76       0.119
 * JDK's server, virtual threads    1.54       0.080         0.89       0.117
 * </pre>
 *
 * <p>On a quiet machine the time elapsed until the first answer was 0.070 and 0.095 for this front, 0.091 and 0.119 for
 * the JDK's, 0.098 for robaho's with the first compiler only (median of 9).
 *
 * <p>A replica owes a rate of 1.0 and a start of 0.10. The JDK's owes one or the other: too slow with the first
 * compiler alone (rate 0.82), too late with both. Robaho's just meets both with the first compiler (rate 1.26 to 1.43,
 * ours 1.38 to 1.74), without room, and neither is as strict. Robaho's 1.0.24 took a head of 100 MB into memory, and a
 * blank before a header's colon; both took a request without Host and folded headers; a head that never ends kept the
 * JDK's busy for longer than we watched (45 s) unless a system property says otherwise, and robaho's for 34 s. All
 * three refuse Content-Length together with Transfer-Encoding.
 */
package io.knabla.runtime.serve.http;
