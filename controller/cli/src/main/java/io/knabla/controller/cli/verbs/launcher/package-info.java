/** Verbs that the launcher script {@code knabla} runs, and how this JVM calls that script. */
package io.knabla.controller.cli.verbs.launcher;
