package io.knabla.controller.cli.verbs.launcher;

import io.knabla.controller.cli.CliFailure;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Runs the platform in the foreground. */
@Command(
        name = "up",
        description = "Runs the platform here until Ctrl-C, which stops it and every replica. It prints"
                + " 'Knabla is ready: URL' when it serves. If it runs out of memory it is started again, at most"
                + " KNABLA_RESTARTS (5) times in a row; JDK_JAVA_OPTIONS=-Xmx4g gives it more.",
        footer = {
            "",
            "Examples:",
            "  ./knabla up",
            "  ./knabla up --port 0 --home /tmp/try     (a free port, everything below /tmp/try)",
            "  KNABLA_TOKEN=secret ./knabla up --host 0.0.0.0"
        })
public final class UpCommand implements Callable<Integer> {
    private static final int MAX_PORT = 65_535;

    @Option(
            names = "--port",
            paramLabel = "PORT",
            description = "Port to listen on; 0 takes a free one (default: 8080).")
    Integer port;

    @Option(
            names = "--host",
            paramLabel = "ADDRESS",
            description =
                    "Address to listen on (default: 127.0.0.1). Any but a loopback address needs" + " KNABLA_TOKEN.")
    String host;

    @Option(
            names = "--store",
            paramLabel = "URL",
            description =
                    "Object store, file:///… or s3://bucket/prefix (default: the folder 'store' in the" + " home).")
    String store;

    @Option(
            names = "--home",
            paramLabel = "FOLDER",
            description = "Folder for everything that Knabla writes (default: ~/.knabla).")
    Path home;

    private final PlatformRunner up;

    public UpCommand(PlatformRunner up) {
        this.up = up;
    }

    @Override
    public Integer call() {
        // Refused here, before the platform makes the folders of a new home.
        if (port != null && (port < 0 || port > MAX_PORT)) {
            throw CliFailure.usageError("--port %d is no port; allowed is 0 (a free one) to %d", port, MAX_PORT);
        }
        var properties = new TreeMap<String, String>();
        put(properties, "port", port);
        put(properties, "host", host);
        put(properties, "store", store);
        put(properties, "home", home == null ? null : home.toAbsolutePath());
        return up.run(properties);
    }

    private static void put(Map<String, String> properties, String key, Object value) {
        if (value != null) {
            properties.put("knabla." + key, value.toString());
        }
    }
}
