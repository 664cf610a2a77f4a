/**
 * Applies each offer's billing rules to amounts of usage: rounding, minimums, tiers, free shares; decimal arithmetic
 * only.
 */
package io.knabla.controller.billing;
