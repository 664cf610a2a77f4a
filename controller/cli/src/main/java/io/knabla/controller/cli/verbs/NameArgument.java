package io.knabla.controller.cli.verbs;

import picocli.CommandLine.Parameters;

/** Argument NAME: the function that a verb acts on. */
final class NameArgument {
    @Parameters(index = "0", paramLabel = "NAME", description = "The function's name.")
    String name;
}
