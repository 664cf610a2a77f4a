/**
 * Downloads large files in parallel ranges, resumes broken downloads and computes digests as bytes arrive; start at
 * {@link io.knabla.functions.unit.download.Download}.
 *
 * <p>The design follows the CPU cost per byte. CPU seconds for 256 MB, measured on two shared processors (Xeon with
 * SHA-NI, ext4, JDK 25, S3 servers on the same machine):
 *
 * <pre>
 * SHA-256 of an array that is in the cache               0.15
 * the same, read back from the page cache by pread       0.185    by a mapping 0.17, less its classes
 * written by pwrite, 64 KB to 1 MB at once               0.06
 * written by a mapping, with its page faults             0.12
 * read from a socket                                     0.05     through the S3 client, warm, 0.07
 * a request of the S3 client                             0.001
 * in all, warm / in the first rounds of a process        0.38 / 0.5
 * a bare client that maps the file and checks nothing    0.17
 * </pre>
 *
 * <p>Tried and dropped: 16 MB of buffers that wait in memory to be hashed (0.6, because they have left the CPU's cache
 * by then), pieces of 4 MB (more requests), full buffers of 0.5 and 1 MB (no gain), six streams to a near server (a
 * fifth slower than three). With the JVM's C1 compiler alone SHA-256 costs 1.9, as only C2 uses the processor's SHA
 * instructions.
 */
package io.knabla.functions.unit.download;
