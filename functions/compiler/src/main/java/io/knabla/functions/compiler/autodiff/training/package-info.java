/**
 * One training step as a graph: forward, backward, and the update of the weights; start at {@link TrainingStepBuilder}.
 */
package io.knabla.functions.compiler.autodiff.training;
