package io.knabla.controller.cli.verbs.context;

import io.knabla.controller.cli.CommonOptions;
import io.knabla.controller.cli.Settings;
import io.knabla.controller.cli.client.PlatformClient;
import io.knabla.controller.cli.kube.ControllerAddress;
import io.knabla.controller.cli.kube.KubeContext;
import io.knabla.controller.cli.print.Console;
import io.knabla.controller.cli.print.Format;
import java.util.Optional;

/** Environment of a verb: common options, console, and access to the platform or cluster. */
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

    /** Kubeconfig context named by flags, environment or configuration; empty if they name an address. */
    public Optional<KubeContext> kube() {
        if (kube == null) {
            kube = Settings.ofProcess().context(options).map(KubeContext::open).orElse(null);
        }
        return Optional.ofNullable(kube);
    }

    /** Client of the platform that flags, environment or configuration name. */
    public PlatformClient platform() {
        return kube().map(this::platformIn).orElseGet(() -> new PlatformClient(Settings.ofProcess(), options, console));
    }

    private PlatformClient platformIn(KubeContext cluster) {
        var address = new ControllerAddress(cluster);
        return new PlatformClient(
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

    /** Prints a line on stderr unless {@code --quiet} is set; stdout carries only results. */
    public void note(String line, Object... values) {
        if (!options.quiet) {
            console.err().println(line.formatted(values));
        }
    }

    /** Prints a warning on stderr, with {@code --quiet} too: results may differ from what was expected. */
    public void warn(String warning) {
        console.err().println("note: " + warning);
    }

    @Override
    public void close() {
        if (kube != null) {
            kube.close();
        }
    }
}
