package io.knabla.storage.s3.servers;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** One version of a program in a public registry. */
sealed interface Program {
    String title();

    /** Returns its folder below the cache. */
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

        /** Installs into a folder, not an environment: needs no privileges and no venv. */
        List<String> install(List<String> pip, Path folder) {
            var command = new ArrayList<>(pip);
            // Compiling all modules takes longer than to unpack them; few are imported.
            command.addAll(List.of("install", "--no-input", "--no-compile", "--disable-pip-version-check"));
            command.addAll(List.of("--target", folder.toString(), requirement()));
            return List.copyOf(command);
        }
    }

    /** @param path path of the module and of the command in it */
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
