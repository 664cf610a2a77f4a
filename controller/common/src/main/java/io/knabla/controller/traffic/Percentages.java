package io.knabla.controller.traffic;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/** Splits a total into whole numbers in proportion to weights, by the largest remainder method. */
public final class Percentages {
    private Percentages() {}

    /**
     * @param total sum of the result
     * @param weights at least one, none negative; all zero counts as all equal
     */
    public static List<Integer> share(int total, List<Integer> weights) {
        long sum = weights.stream().mapToLong(Integer::longValue).sum();
        if (sum == 0) {
            return share(total, weights.stream().map(_ -> 1).toList());
        }
        List<Integer> parts = new ArrayList<>();
        for (int weight : weights) {
            parts.add((int) ((long) total * weight / sum));
        }
        int rest = total - parts.stream().mapToInt(Integer::intValue).sum();
        IntStream.range(0, weights.size())
                .boxed()
                .sorted(Comparator.comparingLong(i -> -((long) total * weights.get(i) % sum)))
                .limit(rest)
                .forEach(i -> parts.set(i, parts.get(i) + 1));
        return List.copyOf(parts);
    }
}
