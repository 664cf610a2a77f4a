package io.knabla.runtime.serve;

/**
 * Response headers that identify the version and report the cold start that the request waited for.
 *
 * @param lines complete header lines
 * @param phases {@code Server-Timing} metrics of the cold start that the request waited for; empty if it did not wait
 * @param startNanos how long the request waited in this replica for the start
 */
public record ResponseHeaders(String lines, String phases, long startNanos) {

    /** Whether the request waited for the cold start. */
    public boolean waited() {
        return !phases.isEmpty();
    }

    /** Header lines for a response that adds no metrics to {@code Server-Timing}. */
    public String toHeaderLines() {
        return waited() ? lines + "Server-Timing: " + phases + "\r\n" : lines;
    }
}
