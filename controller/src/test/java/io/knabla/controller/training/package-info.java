/** Gradients and training through the whole platform, with real processes. */
package io.knabla.controller.training;
