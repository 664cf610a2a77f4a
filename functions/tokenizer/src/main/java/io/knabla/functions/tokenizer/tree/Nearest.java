package io.knabla.functions.tokenizer.tree;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;

/** Finds the known name that is most similar to an unknown one. */
final class Nearest {
    private static final int LONGEST = 64;

    private Nearest() {}

    /** The candidate with the fewest edits, ignoring case; the first one for a name longer than any. */
    static String of(String written, Collection<String> candidates) {
        String name = written.substring(0, Math.min(written.length(), LONGEST)).toLowerCase(Locale.ROOT);
        return candidates.stream()
                .min(Comparator.comparingInt(candidate -> edits(name, candidate.toLowerCase(Locale.ROOT))))
                .orElseThrow();
    }

    private static int edits(String a, String b) {
        int[] row = new int[b.length() + 1];
        for (int j = 0; j < row.length; j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j < row.length; j++) {
                int change = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(change, Math.min(row[j], row[j - 1]) + 1);
            }
        }
        return row[b.length()];
    }
}
