/**
 * The wake pool of a Knative namespace: one pod that answers for functions without pods, each in a process of its own;
 * start at {@link io.knabla.runtime.pool.PoolFront}.
 */
package io.knabla.runtime.pool;
