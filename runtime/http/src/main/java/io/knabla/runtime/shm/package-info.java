/**
 * Triton's system shared memory extension: which regions of {@code /dev/shm} clients have registered; start at
 * {@link io.knabla.runtime.shm.SharedRegions}.
 */
package io.knabla.runtime.shm;
