/** Help, explanations, completion and version of the command line. */
package io.knabla.controller.cli.verbs.help;
