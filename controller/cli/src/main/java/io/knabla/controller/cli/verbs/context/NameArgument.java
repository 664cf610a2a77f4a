package io.knabla.controller.cli.verbs.context;

import picocli.CommandLine.Parameters;

/** Argument NAME: the function that a verb acts on. */
public final class NameArgument {
    @Parameters(index = "0", paramLabel = "NAME", description = "The function's name.")
    public String name;
}
