package io.knabla.bench.report;

import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A row whose measurement failed, with the reason in words. */
public record FailedRow(String name, String reason) {
    /** The reason is the whole chain of causes. */
    public static FailedRow of(String name, Throwable failure) {
        String reason = Stream.iterate(failure, cause -> cause != null, Throwable::getCause)
                .map(cause -> cause.getMessage() == null ? cause.toString() : cause.getMessage())
                .collect(Collectors.joining("; because: "));
        return new FailedRow(name, reason);
    }
}
