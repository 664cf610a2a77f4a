/**
 * Orders the operations of a file for low peak memory under the engine's own scheduling; start at
 * {@link io.knabla.functions.compiler.optimize.order.NodeOrder}.
 */
package io.knabla.functions.compiler.optimize.order;
