/**
 * Keeps generic replica processes started ahead of need; start at {@link io.knabla.controller.local.pool.ReplicaPool}.
 */
package io.knabla.controller.local.pool;
