package io.knabla.controller.simulate.warm;

import java.util.List;
import java.util.function.ToDoubleFunction;

/** Computes medians and ranges over the runs of several seeds. */
record SeedStatistics(List<ReplayResult> runs) {
    double median(ToDoubleFunction<ReplayResult> figure) {
        return Quantiles.of(runs.stream().mapToDouble(figure).toArray(), 0.5);
    }

    double min(ToDoubleFunction<ReplayResult> figure) {
        return runs.stream().mapToDouble(figure).min().orElse(0);
    }

    double max(ToDoubleFunction<ReplayResult> figure) {
        return runs.stream().mapToDouble(figure).max().orElse(0);
    }
}
