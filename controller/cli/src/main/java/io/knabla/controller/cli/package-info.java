/** The command line {@code ./knabla}; start at {@link io.knabla.controller.cli.verbs.KnablaCommand}. */
package io.knabla.controller.cli;
