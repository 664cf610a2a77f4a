package io.knabla.controller.cli.verbs.launcher;

import io.knabla.controller.cli.CliFailure;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Locates the launcher script {@code knabla} and its checkout. */
public final class Launcher {
    private Launcher() {}

    public static Path root() {
        String dist = System.getenv("KNABLA_DIST");
        Path root = Path.of(dist == null ? "" : dist).toAbsolutePath();
        if (!Files.isExecutable(root.resolve("knabla"))) {
            throw CliFailure.failed(
                    "cannot find the launcher 'knabla' in %s. Run ./knabla from the checkout, or set"
                            + " KNABLA_DIST to the checkout's folder.",
                    root);
        }
        return root;
    }

    static List<String> command(String verb) {
        return List.of(root().resolve("knabla").toString(), verb);
    }
}
