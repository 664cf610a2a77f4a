package io.knabla.functions.spec;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Suggests known names that are similar to a misspelt one. */
public final class SpellingHints {
    private static final int LONGEST = 64;

    private SpellingHints() {}

    /** At most {@code most} candidates, the most similar first; only those close enough for a typing error. */
    public static List<String> closest(String written, Collection<String> candidates, int most) {
        record Near(String name, int distance) {}
        if (written.length() > LONGEST) {
            return List.of();
        }
        return candidates.stream()
                .map(candidate -> new Near(candidate, distance(written, candidate)))
                .filter(near -> near.distance <= Math.max(1, written.length() / 3))
                .sorted(Comparator.comparingInt(Near::distance).thenComparing(Near::name))
                .limit(most)
                .map(Near::name)
                .toList();
    }

    static Optional<String> closest(String written, Collection<String> candidates) {
        return closest(written, candidates, 1).stream().findFirst();
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
