/** Verbs that show, follow and delete functions; {@code FunctionPrinter} prints them for the other verbs too. */
package io.knabla.controller.cli.verbs.function;
