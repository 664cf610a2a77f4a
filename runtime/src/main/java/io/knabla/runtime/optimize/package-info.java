/**
 * Optimises a unit's graphs ahead of time, or measures what they need, and stores the result as a new unit; start at
 * {@link io.knabla.runtime.optimize.UnitOptimizer}.
 */
package io.knabla.runtime.optimize;
