package io.knabla.runtime.serve;

/**
 * What an answer's head says of who answered it.
 *
 * @param lines complete header lines
 * @param phases metrics of {@code Server-Timing} about the start that it waited for; empty for none
 * @param startNanos how long it waited here for what the phases tell of
 */
record Heading(String lines, String phases, long startNanos) {

    boolean waited() {
        return !phases.isEmpty();
    }

    /** For an answer without metrics of its own. */
    String alone() {
        return waited() ? lines + "Server-Timing: " + phases + "\r\n" : lines;
    }
}
