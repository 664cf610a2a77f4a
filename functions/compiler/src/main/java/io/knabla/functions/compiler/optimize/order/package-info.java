/**
 * Where operations stand in a file, so that the engine's own order needs little memory; start at
 * {@link io.knabla.functions.compiler.optimize.order.Arrangement}.
 */
package io.knabla.functions.compiler.optimize.order;
