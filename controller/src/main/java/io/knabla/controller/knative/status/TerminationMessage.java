package io.knabla.controller.knative.status;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Extracts the cause from the output that a replica wrote before it terminated; Kubernetes keeps the last 2 KiB. */
final class TerminationMessage {
    /** Matches {@code replica failed: io.knabla.functions.unit.UnitException: }; both parts are optional. */
    private static final Pattern CLASS =
            Pattern.compile("^(?:replica failed: )?(?:(?:[a-z][\\w$]*\\.)+[A-Z][\\w$]*: )?");

    private static final Pattern MEMORY = Pattern.compile(
            "OutOfMemoryError|insufficient memory for the Java Runtime|bad_alloc|Failed to allocate memory");

    private TerminationMessage() {}

    /** Returns the last line that is neither part of a stack trace nor a JSON event; empty if there is none. */
    static String lastLine(String output) {
        List<String> lines = lines(output).toList();
        return lines.isEmpty() ? "" : CLASS.matcher(lines.getLast()).replaceFirst("");
    }

    static boolean outOfMemory(String output) {
        return MEMORY.matcher(output).find();
    }

    private static Stream<String> lines(String output) {
        return output.lines()
                .filter(line -> !line.isBlank())
                .filter(line -> !Character.isWhitespace(line.charAt(0)))
                .filter(line -> !line.startsWith("{") && !line.startsWith("Caused by: "))
                .map(line -> line.startsWith("# ") ? line.substring(2) : line)
                .filter(line -> !line.equals("#"))
                .map(String::strip);
    }
}
