/**
 * Merges several products of one input, such as attention's query, key and value, into one; start at
 * {@link io.knabla.functions.compiler.optimize.merge.ProjectionMerger}.
 */
package io.knabla.functions.compiler.optimize.merge;
