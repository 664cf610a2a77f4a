/**
 * Tries a unit before it serves, and compares its gradients with differences of its loss; start at
 * {@link io.knabla.runtime.check.DotTest}.
 */
package io.knabla.runtime.check;
