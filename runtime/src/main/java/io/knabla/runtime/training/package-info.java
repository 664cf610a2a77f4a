/**
 * Keeps the state of a training unit as one object in the store; start at
 * {@link io.knabla.runtime.training.StateObject}.
 */
package io.knabla.runtime.training;
