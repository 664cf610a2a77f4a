package io.knabla.controller.cli;

import io.knabla.controller.cli.client.Platform;
import io.knabla.controller.cli.print.Console;
import io.knabla.controller.cli.print.Format;

/** What a verb has at hand: the common options, a place to print, and the platform. */
public record Context(CommonOptions options, Console console) {
    /** The platform that flags, environment and configuration name. */
    public Platform platform() {
        return new Platform(Settings.ofProcess(), options, console);
    }

    public String namespace() {
        return options.namespaceOrDefault();
    }

    public Format format() {
        return options.format();
    }

    /** Tells a person what goes on; on stderr, so that stdout keeps only what was asked for. */
    public void tell(String line, Object... values) {
        if (!options.quiet) {
            console.err().println(line.formatted(values));
        }
    }
}
