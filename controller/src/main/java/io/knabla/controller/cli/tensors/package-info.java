/**
 * Converts a user's file (JSON, .npy, a picture) to an inference request; start at
 * {@link io.knabla.controller.cli.tensors.Request}.
 */
package io.knabla.controller.cli.tensors;
