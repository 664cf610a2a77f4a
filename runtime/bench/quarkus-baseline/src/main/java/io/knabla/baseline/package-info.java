/**
 * The application that Knabla measures itself against: one model, Quarkus REST, all defaults; start at
 * {@code InferResource}.
 */
package io.knabla.baseline;
