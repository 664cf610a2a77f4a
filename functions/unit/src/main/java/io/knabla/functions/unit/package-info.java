/**
 * Reads, writes and caches units: immutable bundles of graph, weights and manifest, named by their digest; start at
 * {@link io.knabla.functions.unit.UnitStore}.
 */
package io.knabla.functions.unit;
