/**
 * What the kernel tells about processes and the machine, and child processes that leave nothing behind; start at
 * {@code Child}.
 */
package io.knabla.bench.machine;
