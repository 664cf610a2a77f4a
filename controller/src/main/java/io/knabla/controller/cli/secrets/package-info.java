/**
 * The Secrets that an installation makes for itself, so that no file has to hold one; start at
 * {@link io.knabla.controller.cli.secrets.FirstSecrets}.
 */
package io.knabla.controller.cli.secrets;
