package io.knabla.controller.images;

import io.knabla.controller.cli.CliFailure;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/** Runs an external program to its end. */
final class ProcessRunner {
    private static final int LAST_LINES = 12;

    private ProcessRunner() {}

    /** Returns standard output and standard error together; fails unless the exit code is 0. */
    static String run(List<String> command) throws IOException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        int status = status(process);
        if (status != 0) {
            throw CliFailure.failed(
                    "%s failed with exit code %d. The end of its output:%n%s",
                    Path.of(command.getFirst()).getFileName(), status, end(said));
        }
        return said;
    }

    private static int status(Process process) {
        try {
            return process.waitFor();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            process.destroy();
            throw CliFailure.because(stopped, "interrupted");
        }
    }

    private static String end(String said) {
        List<String> lines = said.lines().toList();
        return lines.stream()
                .skip(Math.max(0, lines.size() - LAST_LINES))
                .map(line -> "  " + line)
                .collect(Collectors.joining("\n"));
    }
}
