package io.knabla.controller.cluster.knative.diagnose;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** What a replica wrote before it ended, of which Kubernetes keeps the last 2 KiB. */
final class LastWords {
    /** As in {@code replica failed: io.knabla.functions.unit.UnitException: }; either may lack. */
    private static final Pattern CLASS =
            Pattern.compile("^(?:replica failed: )?(?:(?:[a-z][\\w$]*\\.)+[A-Z][\\w$]*: )?");

    private static final Pattern MEMORY = Pattern.compile(
            "OutOfMemoryError|insufficient memory for the Java Runtime|bad_alloc|Failed to allocate memory");

    private LastWords() {}

    /** The last line that is no part of a stack trace and no event for machines; empty where it said nothing. */
    static String sentence(String output) {
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
