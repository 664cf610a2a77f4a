package io.knabla.controller.local.gateway;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/** Suggests known names that are similar to an unknown one, by edit distance. */
final class NearNames {
    private static final int MOST = 3;

    private NearNames() {}

    /** At most three, nearest first; none that differs in more than a third of its characters. */
    static List<String> of(String wanted, Collection<String> known) {
        record Near(String name, int distance) {}
        return known.stream()
                .map(name -> new Near(name, distance(wanted, name)))
                .filter(near -> near.distance() <= Math.max(1, wanted.length() / 3))
                .sorted(Comparator.comparingInt(Near::distance).thenComparing(Near::name))
                .limit(MOST)
                .map(Near::name)
                .toList();
    }

    /** Levenshtein distance: insertions, deletions and substitutions. */
    static int distance(String a, String b) {
        int[] row = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int change = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(change, 1 + Math.min(row[j], row[j - 1]));
            }
        }
        return row[b.length()];
    }
}
