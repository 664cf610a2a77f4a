/**
 * How the command line looks: tables, documents, colour, progress; start at
 * {@link io.knabla.controller.cli.print.Console}.
 */
package io.knabla.controller.cli.print;
