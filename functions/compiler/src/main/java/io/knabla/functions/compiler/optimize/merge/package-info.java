/**
 * Several products of one input, as attention's query, key and value are, as one; start at
 * {@link io.knabla.functions.compiler.optimize.merge.Merging}.
 */
package io.knabla.functions.compiler.optimize.merge;
