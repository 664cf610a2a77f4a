package io.knabla.bench.cluster;

import io.fabric8.knative.serving.v1.Route;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientTimeoutException;
import io.knabla.bench.cold.StartMeasurement;
import io.knabla.bench.cold.StartScenario;
import io.knabla.bench.wire.FirstAnswer;
import io.knabla.bench.wire.ServerTiming;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Wake of a function without pods by the wake pool of its namespace, in which it has no process either. */
record PooledStart(KubernetesClient client, KnativeStart own) implements StartScenario {
    private static final Duration ASLEEP = Duration.ofMinutes(2);
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    /** The function's {@code idleAfter} is a second; its process in the pool ends after that. */
    private static final long NO_PROCESS_MILLIS = 3_000;

    @Override
    public String name() {
        return own.name() + "-pooled";
    }

    @Override
    public void prepare() {
        own.prepare();
        try {
            client.resources(Route.class)
                    .inNamespace(own.subject().namespace())
                    .withName(own.subject().name())
                    .waitUntilCondition(PooledStart::sleeps, ASLEEP.toSeconds(), TimeUnit.SECONDS);
            Thread.sleep(NO_PROCESS_MILLIS);
        } catch (KubernetesClientTimeoutException awake) {
            throw new IllegalStateException(
                    "the function does not sleep in a wake pool; set KNABLA_CLUSTER_WAKE_POOL_NAMESPACES=%s for the controller"
                            .formatted(own.subject().namespace()),
                    awake);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted before a wake", stopped);
        }
    }

    private static boolean sleeps(Route route) {
        return route != null
                && route.getSpec().getTraffic().stream()
                        .anyMatch(target -> "knabla-pool".equals(target.getConfigurationName()));
    }

    @Override
    public StartMeasurement start() {
        long start = System.nanoTime();
        var patience = new FirstAnswer.PollPolicy(Duration.ofMillis(1), PATIENCE, () -> true);
        FirstAnswer.Times times = FirstAnswer.await(own.subject().call(), start, patience);
        String kind = times.answer().field("Knabla-Start").orElse("(no Knabla-Start field)");
        if (!kind.equals("pooled")) {
            throw new IllegalStateException("the wake should be pooled, but the answer says " + kind);
        }
        Map<String, Double> details = new LinkedHashMap<>();
        details.put("answered_ms", times.answerMillis());
        details.putAll(ServerTiming.phases(times.answer()));
        return new StartMeasurement(times.answerMillis(), 0, details);
    }
}
