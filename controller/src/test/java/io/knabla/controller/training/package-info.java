/** Tests gradients and training on a real platform with real processes. */
package io.knabla.controller.training;
