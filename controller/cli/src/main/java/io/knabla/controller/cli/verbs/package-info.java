/** The command line: its entry point, and the list of the verbs, which stand in one package a topic. */
package io.knabla.controller.cli.verbs;
