package io.knabla.controller.knative.status;

import java.util.List;
import java.util.stream.Collectors;

/**
 * Status, reason and message of a condition, still without its timestamps.
 *
 * @param reason one word in CamelCase, as Kubernetes requires
 */
record ConditionResult(Truth truth, String reason, String message) {
    enum Truth {
        True,
        False,
        Unknown
    }

    static ConditionResult yes(String reason, String message) {
        return new ConditionResult(Truth.True, reason, message);
    }

    static ConditionResult no(String reason, String message) {
        return new ConditionResult(Truth.False, reason, message);
    }

    static ConditionResult unknown(String reason, String message) {
        return new ConditionResult(Truth.Unknown, reason, message);
    }

    ConditionResult and(String more) {
        return new ConditionResult(truth, reason, message + "; " + more);
    }

    /** Start of a message about one version; the last message about a version is found by it. */
    static String prefix(int version) {
        return "version %d: ".formatted(version);
    }

    /** Adds which versions answer nevertheless. */
    ConditionResult withAnswering(List<Integer> versions) {
        return versions.isEmpty()
                ? this
                : and("%s %s on answering".formatted(versions(versions), versions.size() == 1 ? "goes" : "go"));
    }

    /** Removes the suffix that {@link #withAnswering} added to a message, even repeatedly. */
    static String cause(String message) {
        return message.replaceFirst("(; versions? [\\d, ]+ go(es)? on answering)+$", "");
    }

    static String versions(List<Integer> versions) {
        return (versions.size() == 1 ? "version " : "versions ")
                + versions.stream().map(String::valueOf).collect(Collectors.joining(", "));
    }
}
