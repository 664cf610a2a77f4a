/** What training steps leave in the store, and who takes it away; start at {@code TrainingStates}. */
package io.knabla.controller.training;
