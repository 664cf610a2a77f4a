package io.knabla.controller.cli;

import io.knabla.controller.cli.verbs.ForeignUp;

/** Entry of the plain JVM that runs every verb but {@code up}. */
public final class Main {
    private Main() {}

    public static void main(String[] args) {
        System.exit(CommandLines.make(new ForeignUp()).execute(args));
    }
}
