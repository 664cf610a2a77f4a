package io.knabla.storage.s3.servers;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A program in a public registry, at one version. */
sealed interface Program {
    String title();

    /** The folder below the cache that holds it and nothing else. */
    String folder();

    /**
     * @param distribution its name on PyPI
     * @param extra an optional part such as {@code [server]}, or empty
     */
    record PyPi(String title, String distribution, String extra, String version) implements Program {
        @Override
        public String folder() {
            return distribution + "-" + version;
        }

        String requirement() {
            return distribution + extra + "==" + version;
        }

        /** Into a folder instead of an environment: that needs no right and no venv. */
        List<String> install(List<String> pip, Path folder) {
            var command = new ArrayList<>(pip);
            command.addAll(List.of("install", "--no-input", "--disable-pip-version-check"));
            command.addAll(List.of("--target", folder.toString(), requirement()));
            return List.copyOf(command);
        }
    }

    /** @param path the module's path with that of the command in it */
    record GoModule(String title, String path, String version) implements Program {
        @Override
        public String folder() {
            return path.substring(path.lastIndexOf('/') + 1) + "-" + version;
        }

        List<String> install() {
            return List.of("go", "install", path + "@v" + version);
        }
    }
}
