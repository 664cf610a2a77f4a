/** Knabla's measurements of itself, as ratios to a reference measured in the same run; start at {@code Main}. */
package io.knabla.bench;
