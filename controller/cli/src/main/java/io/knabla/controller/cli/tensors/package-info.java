/**
 * Converts a user's file (JSON, .npy, a picture) to an inference request; start at
 * {@link io.knabla.controller.cli.tensors.InferenceRequest}.
 */
package io.knabla.controller.cli.tensors;
