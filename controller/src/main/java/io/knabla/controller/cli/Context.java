package io.knabla.controller.cli;

import io.knabla.controller.cli.client.Platform;
import io.knabla.controller.cli.kube.ControllerAddress;
import io.knabla.controller.cli.kube.KubeContext;
import io.knabla.controller.cli.print.Console;
import io.knabla.controller.cli.print.Format;
import java.util.Optional;

/** What a verb has at hand: the common options, a place to print, and the platform. */
public final class Context implements AutoCloseable {
    private final CommonOptions options;
    private final Console console;
    private KubeContext kube;

    public Context(CommonOptions options, Console console) {
        this.options = options;
        this.console = console;
    }

    public CommonOptions options() {
        return options;
    }

    public Console console() {
        return console;
    }

    /** The cluster that flags, environment and configuration name; empty for a platform at an address. */
    public Optional<KubeContext> kube() {
        if (kube == null) {
            kube = Settings.ofProcess().context(options).map(KubeContext::open).orElse(null);
        }
        return Optional.ofNullable(kube);
    }

    /** The platform that flags, environment and configuration name. */
    public Platform platform() {
        return kube().map(this::platformIn).orElseGet(() -> new Platform(Settings.ofProcess(), options, console));
    }

    private Platform platformIn(KubeContext cluster) {
        var address = new ControllerAddress(cluster);
        return new Platform(
                address, address.token().or(() -> Settings.ofProcess().find("token")), console, options.verbose);
    }

    public String namespace() {
        return options.namespace != null
                ? options.namespace
                : kube().map(KubeContext::namespace).orElse("default");
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

    @Override
    public void close() {
        if (kube != null) {
            kube.close();
        }
    }
}
