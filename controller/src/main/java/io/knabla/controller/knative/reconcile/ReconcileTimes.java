package io.knabla.controller.knative.reconcile;

import io.javaoperatorsdk.operator.api.monitoring.Metrics;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.concurrent.TimeUnit;

/** Measures how long each reconciliation takes, as {@code knabla_reconcile_seconds}. */
record ReconcileTimes(MeterRegistry registry) implements Metrics {
    @Override
    public <T> T timeControllerExecution(ControllerExecution<T> look) throws Exception {
        long began = System.nanoTime();
        try {
            return look.execute();
        } finally {
            Timer.builder("knabla.reconcile")
                    .tag("what", look.name())
                    .publishPercentileHistogram()
                    .register(registry)
                    .record(System.nanoTime() - began, TimeUnit.NANOSECONDS);
        }
    }
}
