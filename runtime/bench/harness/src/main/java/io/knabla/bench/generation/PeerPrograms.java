package io.knabla.bench.generation;

import io.knabla.bench.report.Progress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Installs what peers need into virtual environments of Python, once for all benches of this user. */
final class PeerPrograms {
    private static final int SAID = 500;

    private final Path scripts;
    private final Path cache;
    private final Progress progress;

    /** @param scripts folder of {@code generation.py} */
    PeerPrograms(Path scripts, Progress progress) {
        this.scripts = scripts;
        this.progress = progress;
        Path home = Optional.ofNullable(System.getenv("XDG_CACHE_HOME"))
                .filter(value -> !value.isBlank())
                .map(Path::of)
                .orElse(Path.of(System.getProperty("user.home"), ".cache"));
        this.cache = home.resolve("knabla/bench");
    }

    Path script() {
        return scripts.resolve("generation.py");
    }

    /**
     * Returns the Python that has what a peer needs.
     *
     * @throws IOException if it cannot be installed here, with what the installer said
     */
    Path python(Peer peer) throws IOException, InterruptedException {
        Path requirements = scripts.resolve("peers").resolve(peer.requirements + ".txt");
        Path folder = cache.resolve(peer.requirements);
        Path python = folder.resolve("bin/python");
        Path installed = folder.resolve("installed.txt");
        String wanted = Files.readString(requirements);
        if (!Files.exists(installed) || !Files.readString(installed).equals(wanted)) {
            progress.report("installing %s into %s".formatted(requirements.getFileName(), folder));
            run("python3", "-m", "venv", folder.toString());
            run(python.toString(), "-m", "pip", "install", "-q", "-r", requirements.toString());
            Files.writeString(installed, wanted);
        }
        return python;
    }

    private static void run(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes());
        if (process.waitFor() != 0) {
            throw new IOException("%s failed: %s"
                    .formatted(List.of(command), said.substring(Math.max(0, said.length() - SAID))));
        }
    }
}
