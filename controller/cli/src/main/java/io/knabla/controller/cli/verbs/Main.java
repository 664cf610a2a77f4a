package io.knabla.controller.cli.verbs;

import io.knabla.controller.cli.verbs.launcher.LauncherPlatformRunner;

/** Entry point of the command line; its JVM runs every verb except {@code up}. */
public final class Main {
    private Main() {}

    public static void main(String[] args) {
        System.exit(CommandLines.make(new LauncherPlatformRunner()).execute(args));
    }
}
