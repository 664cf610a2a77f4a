/**
 * Attacks an HTTP server on this machine as hostile clients do, and checks what it answers; start at
 * {@code HostileClientContract}. Knows nothing of the server but its address, a model and its process id.
 */
package io.knabla.hostile;
