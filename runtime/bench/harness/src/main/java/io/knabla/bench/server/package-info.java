/**
 * Starts the servers that are measured: a replica, the whole platform, the Quarkus baseline; start at
 * {@code Distribution}.
 */
package io.knabla.bench.server;
