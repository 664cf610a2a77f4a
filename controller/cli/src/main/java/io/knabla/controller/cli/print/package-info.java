/**
 * Terminal output of the command line: tables, documents, colours, progress; start at
 * {@link io.knabla.controller.cli.print.Console}.
 */
package io.knabla.controller.cli.print;
