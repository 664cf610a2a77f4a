package io.knabla.runtime.modes;

import io.knabla.runtime.serve.ServedModel;
import java.util.OptionalDouble;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;
import java.util.function.Supplier;

/** Writes an event for the autoscaler when the utilization of a model's capacity has changed. Not thread-safe. */
final class UtilizationReporter {
    private final Supplier<OptionalDouble> utilization;
    private final IntConsumer report;
    private int reported;

    /** @param report gets percents */
    UtilizationReporter(Supplier<OptionalDouble> utilization, IntConsumer report) {
        this.utilization = utilization;
        this.report = report;
    }

    /** Begins to report each second what has changed. */
    static void start(ServedModel model) {
        var reporter = new UtilizationReporter(model::utilization, Events::utilization);
        Executors.newSingleThreadScheduledExecutor(
                        Thread.ofPlatform().daemon().name("utilization").factory())
                .scheduleWithFixedDelay(reporter::reportIfChanged, 1, 1, TimeUnit.SECONDS);
    }

    void reportIfChanged() {
        int percent = (int) Math.round(100 * utilization.get().orElse(0));
        if (percent != reported) {
            reported = percent;
            report.accept(percent);
        }
    }
}
