/**
 * What a replica starts from: an immutable bundle of graph, weights and manifest, named by its digest; start at
 * {@link io.knabla.functions.unit.Units}.
 */
package io.knabla.functions.unit;
