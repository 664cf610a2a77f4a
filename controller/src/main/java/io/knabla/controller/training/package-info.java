/** Deletes the trained weights of deleted functions from the store; start at {@code TrainingStateCleaner}. */
package io.knabla.controller.training;
