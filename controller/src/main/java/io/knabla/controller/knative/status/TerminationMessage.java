package io.knabla.controller.knative.status;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.knabla.functions.unit.FailureCode;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Extracts the cause from the output that a replica wrote before it terminated: a code for programs from its last
 * event, a sentence for people from its last line. Kubernetes keeps the last 2 KiB.
 */
final class TerminationMessage {
    private static final ObjectMapper JSON = new ObjectMapper();

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

    /** Returns OTHER if there is no event with a code: a replica of an older Knabla, or a crash. */
    static FailureCode code(String output) {
        return output.lines()
                .filter(line -> line.startsWith("{"))
                .flatMap(line -> event(line).stream())
                .filter(event -> event.has("code"))
                .reduce((_, last) -> last)
                .map(event -> FailureCode.parse(event.path("code").asText()))
                .orElse(FailureCode.OTHER);
    }

    private static Optional<JsonNode> event(String line) {
        try {
            return Optional.of(JSON.readTree(line));
        } catch (JsonProcessingException noEvent) {
            return Optional.empty();
        }
    }

    /** The JVM and the engine report this by text only. */
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
