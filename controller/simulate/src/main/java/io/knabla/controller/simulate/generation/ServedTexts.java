package io.knabla.controller.simulate.generation;

import java.util.List;
import java.util.function.Predicate;

/**
 * What came out of one run.
 *
 * @param texts all that were asked for; those that were refused are not complete
 */
record ServedTexts(List<SimulatedText> texts, Objectives objectives, int replicas, long preempted) {
    /** Share of all requests that kept both objectives. */
    double attained() {
        return share(text -> text.keeps(objectives));
    }

    double missedFirst() {
        return share(text -> text.isComplete() && !text.keepsFirst(objectives));
    }

    double missedNext() {
        return share(text -> text.isComplete() && !text.keepsNext(objectives));
    }

    double refused() {
        return share(text -> !text.isComplete());
    }

    private double share(Predicate<SimulatedText> which) {
        return (double) texts.stream().filter(which).count() / texts.size();
    }

    /** Tokens a second of each replica, less those that were due while readers waited. */
    double smooth() {
        long begin = texts.getFirst().arrival;
        long end = texts.stream().mapToLong(SimulatedText::end).max().orElseThrow();
        double tokens =
                texts.stream().mapToDouble(text -> text.smooth(objectives)).sum();
        return end <= begin ? 0 : 1e9 * tokens / (end - begin) / replicas;
    }
}
