/**
 * Attacks an HTTP server on this machine as hostile clients do, and checks what it answers; start at
 * {@code HostileClientContract}. Knows nothing of the server but its address, a model and its process id.
 *
 * <p>Counts are those of a short run; {@code -Dknabla.thorough=true} or one of {@code knabla.hostile.resets},
 * {@code .readers}, {@code .heads}, {@code .idle}, {@code .mixed} and {@code .bodies} sets others.
 */
package io.knabla.hostile;
