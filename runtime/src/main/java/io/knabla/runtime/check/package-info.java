/**
 * Generates trial inputs and compares a unit's gradients with finite differences of its loss; start at
 * {@link io.knabla.runtime.check.GradientCheck}.
 */
package io.knabla.runtime.check;
