package io.knabla.controller.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Failure of a command, printed on stderr without a stack trace. The message says what went wrong, where, and what to
 * do.
 */
public final class CliFailure extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final int exitCode;
    private String explainedAt = "";

    private CliFailure(String message, int exitCode, Throwable cause) {
        super(message, cause);
        this.exitCode = exitCode;
    }

    public static CliFailure failed(String message, Object... values) {
        return new CliFailure(message.formatted(values), ExitCodes.FAILED, null);
    }

    public static CliFailure because(Throwable cause, String message, Object... values) {
        return new CliFailure(message.formatted(values), ExitCodes.FAILED, cause);
    }

    /** A file that the user named cannot be written; says if its folder is missing. */
    public static CliFailure cannotWrite(Path file, IOException cause) {
        Path folder = file.toAbsolutePath().getParent();
        return folder == null || Files.isDirectory(folder)
                ? because(cause, "cannot write %s: %s", file, cause.getMessage())
                : because(cause, "cannot write %s: there is no folder %s", file, folder);
    }

    public static CliFailure usageError(String message, Object... values) {
        return new CliFailure(message.formatted(values), ExitCodes.USAGE_ERROR, null);
    }

    /** A headline and one indented line per fault. */
    public static CliFailure withFaults(String headline, List<?> faults) {
        var text = new StringBuilder(headline);
        faults.forEach(fault -> text.append("\n  ").append(fault));
        return new CliFailure(text.toString(), ExitCodes.FAILED, null);
    }

    /** The same failure, with its place in front. */
    public CliFailure at(String place) {
        return new CliFailure(place + ": " + getMessage(), exitCode, this).explainedAt(explainedAt);
    }

    /** Adds the address of a page that explains this kind of failure, shown with {@code -v}; "" for none. */
    public CliFailure explainedAt(String url) {
        explainedAt = url;
        return this;
    }

    public String explainedAt() {
        return explainedAt;
    }

    public int exitCode() {
        return exitCode;
    }
}
