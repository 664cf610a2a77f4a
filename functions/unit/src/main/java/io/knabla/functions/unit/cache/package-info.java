/**
 * Manages the unit cache that all processes of one machine share: locks, leases and eviction; start at
 * {@link io.knabla.functions.unit.cache.CacheFolder}.
 */
package io.knabla.functions.unit.cache;
