package io.knabla.runtime.generation.text;

import java.util.List;

/** Ends a text before the first stop text in it. Holds back an end that a stop text may begin with. */
final class StopMatcher {
    private final List<String> stops;
    private String held = "";
    private boolean stopped;

    /** @param stops none is empty */
    StopMatcher(List<String> stops) {
        this.stops = stops;
    }

    /** Adds text; returns what became certain. */
    String accept(String text) {
        if (stopped) {
            return "";
        }
        String all = held + text;
        int stop = firstStop(all);
        stopped = stop >= 0;
        int certain = stopped ? stop : all.length() - longestBeginning(all);
        held = stopped ? "" : all.substring(certain);
        return all.substring(0, certain);
    }

    boolean isStopped() {
        return stopped;
    }

    /** Returns what was held back: no more text comes. */
    String finish() {
        String rest = held;
        held = "";
        return rest;
    }

    private int firstStop(String text) {
        return stops.stream()
                .mapToInt(text::indexOf)
                .filter(at -> at >= 0)
                .min()
                .orElse(-1);
    }

    /** Characters at the end of the text with which a stop text begins. */
    private int longestBeginning(String text) {
        int longest = 0;
        for (String stop : stops) {
            int length = Math.min(stop.length() - 1, text.length());
            while (length > longest && !text.endsWith(stop.substring(0, length))) {
                length--;
            }
            longest = Math.max(longest, length);
        }
        return longest;
    }
}
