/**
 * Decides on which kind of node a call costs less, by a roofline model of both; start at
 * {@link io.knabla.functions.compiler.pool.PoolRule}.
 */
package io.knabla.functions.compiler.pool;
