/**
 * Stores objects in a bucket of AWS S3 or any compatible server, through the AWS SDK; no SDK type leaves the adapter.
 * Start at {@link io.knabla.storage.s3.S3ObjectStore}.
 *
 * <p>The client is the SDK's synchronous client on Apache HTTP, chosen by measurement: fetching 256 MB in ranges of 8
 * MB over four connections from two servers (Versity Gateway, SeaweedFS) on a machine with two cores, interleaved,
 * warm, it moved 1.4 and 1.1 GB/s at 0.26 s of CPU time; the client on {@code HttpURLConnection} the same; asynchronous
 * CRT 1.05 and 0.8 at 0.35 s; synchronous CRT 0.9 and 0.75 at 0.45 s; Netty 0.85 and 0.7 at 0.47 s; a bare socket read
 * into the mapped file 2.0 and 1.46 at 0.14 s. First call of a fresh JVM with an AOT cache: 0.16 s, of
 * {@code HttpURLConnection} 0.14 s, which keeps no bounded pool of connections.
 */
package io.knabla.storage.s3;
