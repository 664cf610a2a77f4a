package io.knabla.runtime.encoder;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Chooses the texts of the next run: the one that has waited longest, and those that are about as long, for all are
 * filled up to the longest.
 *
 * @param tokens most in a run, those that fill up included; a longer text runs alone
 */
record BatchChooser(int tokens) {
    /** So much longer may the longest be than the shortest in any case: short texts are cheap. */
    private static final int ALWAYS = 8;

    /** @param waiting in the order of arrival; not empty */
    List<QueuedText> choose(List<QueuedText> waiting) {
        int wanted = waiting.getFirst().length();
        List<QueuedText> batch = new ArrayList<>();
        int shortest = wanted;
        int longest = wanted;
        for (QueuedText text : nearest(waiting, wanted)) {
            shortest = Math.min(shortest, text.length());
            longest = Math.max(longest, text.length());
            boolean fits = (batch.size() + 1L) * longest <= tokens && isAlike(shortest, longest);
            if (!fits && !batch.isEmpty()) {
                break;
            }
            batch.add(text);
        }
        return batch;
    }

    /** The first remains the first, as sorting is stable. */
    private static List<QueuedText> nearest(List<QueuedText> waiting, int length) {
        return waiting.stream()
                .sorted(Comparator.comparingInt(text -> Math.abs(text.length() - length)))
                .toList();
    }

    private static boolean isAlike(int shortest, int longest) {
        return longest - shortest <= Math.max(ALWAYS, longest / 4);
    }
}
