package io.knabla.bench.cluster;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.knabla.bench.cold.StartMeasurement;
import io.knabla.bench.cold.StartScenario;
import io.knabla.bench.wire.FirstAnswer;
import io.knabla.bench.wire.ServerTiming;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Cold start of a function without pods, by one request through Knative's ingress. */
record KnativeStart(KubernetesClient client, ClusterFunction subject) implements StartScenario {
    private static final Duration TO_ZERO = Duration.ofMinutes(5);
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @Override
    public String name() {
        return subject.title();
    }

    @Override
    public void prepare() {
        client.pods()
                .inNamespace(subject.namespace())
                .withLabel(subject.label(), subject.name())
                .informOnCondition(List::isEmpty)
                .orTimeout(TO_ZERO.toSeconds(), TimeUnit.SECONDS)
                .join();
    }

    @Override
    public StartMeasurement start() {
        try (var watch = new PodWatch(client, subject)) {
            long start = System.nanoTime();
            var patience = new FirstAnswer.PollPolicy(Duration.ofMillis(1), PATIENCE, () -> true);
            FirstAnswer.Times times = FirstAnswer.await(subject.call(), start, patience);
            Map<String, Double> details = new LinkedHashMap<>(watch.phases());
            details.put("answered_ms", times.answerMillis());
            details.putAll(ServerTiming.phases(times.answer()));
            return new StartMeasurement(times.answerMillis(), 0, details);
        }
    }
}
