/** The models that are measured, made on the spot; start at {@code Mlp}. */
package io.knabla.bench.model;
