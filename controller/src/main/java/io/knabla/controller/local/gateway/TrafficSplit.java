package io.knabla.controller.local.gateway;

import java.util.Map;
import java.util.TreeMap;

/** Selects a version by traffic percentage from a random number. */
final class TrafficSplit {
    private final int[] versions;
    private final int[] upTo;
    private final int total;

    /** @param percents by version; versions with 0 get no traffic */
    TrafficSplit(Map<Integer, Integer> percents) {
        Map<Integer, Integer> sorted = new TreeMap<>(percents);
        sorted.values().removeIf(percent -> percent <= 0);
        versions = sorted.keySet().stream().mapToInt(Integer::intValue).toArray();
        upTo = new int[versions.length];
        int sum = 0;
        for (int i = 0; i < versions.length; i++) {
            sum += sorted.get(versions[i]);
            upTo[i] = sum;
        }
        total = sum;
        if (total <= 0) {
            throw new IllegalArgumentException("no version has any traffic in " + percents);
        }
    }

    boolean single() {
        return versions.length == 1;
    }

    /** Bound of the random number: {@code [0, total)}. */
    int total() {
        return total;
    }

    int choose(int drawn) {
        int i = 0;
        while (drawn >= upTo[i]) {
            i++;
        }
        return versions[i];
    }
}
