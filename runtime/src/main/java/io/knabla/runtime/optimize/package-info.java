/** Rewrites a unit's graphs ahead of time; start at {@link io.knabla.runtime.optimize.OptimizedUnit}. */
package io.knabla.runtime.optimize;
