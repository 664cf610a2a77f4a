package io.knabla.functions.spec;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** Suggests the most similar known name for a misspelt one. */
final class SpellingHints {
    private static final int LONGEST = 64;

    private SpellingHints() {}

    /** The most similar candidate, if it is similar enough for a typing error. */
    static Optional<String> closest(String written, Collection<String> candidates) {
        if (written.length() > LONGEST) {
            return Optional.empty();
        }
        int tolerance = Math.max(1, written.length() / 3);
        return candidates.stream()
                .min(Comparator.comparingInt(candidate -> distance(written, candidate)))
                .filter(candidate -> distance(written, candidate) <= tolerance);
    }

    static String hint(String written, Collection<String> candidates) {
        return closest(written, candidates)
                .map(near -> "; did you mean '" + near + "'?")
                .orElse("");
    }

    /** Edit distance that ignores case and counts a transposition as one edit (optimal string alignment). */
    static int distance(String left, String right) {
        String a = left.toLowerCase(Locale.ROOT);
        String b = right.toLowerCase(Locale.ROOT);
        int[][] edits = new int[a.length() + 1][b.length() + 1];
        for (int i = 0; i <= a.length(); i++) {
            for (int j = 0; j <= b.length(); j++) {
                edits[i][j] = i == 0 || j == 0 ? i + j : cheapest(edits, a, b, i, j);
            }
        }
        return edits[a.length()][b.length()];
    }

    private static int cheapest(int[][] edits, String a, String b, int i, int j) {
        int change = a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1;
        int best = Math.min(edits[i - 1][j - 1] + change, Math.min(edits[i - 1][j], edits[i][j - 1]) + 1);
        boolean swapped = i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1);
        return swapped ? Math.min(best, edits[i - 2][j - 2] + 1) : best;
    }
}
