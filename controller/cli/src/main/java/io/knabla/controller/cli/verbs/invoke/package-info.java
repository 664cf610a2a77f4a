/** Verbs that call a function. */
package io.knabla.controller.cli.verbs.invoke;
