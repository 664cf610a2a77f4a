/**
 * Creates the Secrets of an installation; no file has to hold one; start at
 * {@link io.knabla.controller.cli.secrets.SecretGenerator}.
 */
package io.knabla.controller.cli.secrets;
