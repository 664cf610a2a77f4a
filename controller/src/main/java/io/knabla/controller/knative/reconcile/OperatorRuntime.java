package io.knabla.controller.knative.reconcile;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.javaoperatorsdk.operator.Operator;
import io.javaoperatorsdk.operator.api.config.ControllerConfigurationOverrider;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.processing.event.rate.LinearRateLimiter;
import io.javaoperatorsdk.operator.processing.event.source.informer.TransformingItemStore;
import io.javaoperatorsdk.operator.processing.retry.GenericRetry;
import io.knabla.controller.knative.resource.Labels;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;

/** Reconciles the objects of several kinds of resources, with one rate limit and retry for all. */
final class OperatorRuntime implements AutoCloseable {
    /** Packaging runs on other threads, which leaves a reconciliation only a few short calls. */
    private static final int THREADS = 16;

    private static final Duration FIRST_RETRY = Duration.ofSeconds(1);
    private static final Duration LONGEST_RETRY = Duration.ofMinutes(5);

    /** Rate limit of one object: at most {@code RECONCILIATIONS} reconciliations in this period. */
    private static final Duration PACE = Duration.ofSeconds(5);

    private static final int RECONCILIATIONS = 20;

    /** How long a running reconciliation may take after the controller stops or loses the lead. */
    static final Duration TERMINATION_TIMEOUT = Duration.ofSeconds(5);

    /**
     * A kind of resource.
     *
     * @param name of its reconciler, in logs and metrics
     * @param finalizer that its objects get before they are reconciled
     */
    record Kind<R extends HasMetadata>(String name, String finalizer, Reconciler<R> reconciler) {
        private void register(Operator operator, List<String> namespaces) {
            operator.register(reconciler, of -> configure(of.withName(name).withFinalizer(finalizer), namespaces));
        }
    }

    private final Operator operator;

    private OperatorRuntime(Operator operator) {
        this.operator = operator;
    }

    /**
     * Registers the kinds, whose objects are reconciled from {@link #start} on.
     *
     * @param namespaces empty for all
     */
    static OperatorRuntime of(
            KubernetesClient client, MeterRegistry meters, List<String> namespaces, List<Kind<?>> kinds) {
        var operator = new Operator(configuration -> configuration
                .withKubernetesClient(client)
                .withMetrics(new ReconcileTimes(meters))
                .withCloseClientOnStop(false)
                .checkingCRDAndValidateLocalModel(false)
                .withStopOnInformerErrorDuringStartup(false)
                .withConcurrentReconciliationThreads(THREADS)
                .withReconciliationTerminationTimeout(TERMINATION_TIMEOUT));
        kinds.forEach(kind -> kind.register(operator, namespaces));
        return new OperatorRuntime(operator);
    }

    private static <R extends HasMetadata> void configure(
            ControllerConfigurationOverrider<R> of, List<String> namespaces) {
        of.withFieldManager(Labels.MANAGER)
                .withRateLimiter(new LinearRateLimiter(PACE, RECONCILIATIONS))
                .withRetry(new GenericRetry()
                        .setInitialInterval(FIRST_RETRY)
                        .setIntervalMultiplier(2)
                        .setMaxInterval(LONGEST_RETRY.toMillis())
                        .withoutMaxAttempts());
        if (namespaces.isEmpty()) {
            of.watchingAllNamespaces();
        } else {
            of.settingNamespaces(new HashSet<>(namespaces));
        }
        if (namespaces.isEmpty() || isSingle(namespaces)) {
            of.withItemStore(new TransformingItemStore<>(OperatorRuntime::withoutManagedFields));
        }
    }

    /** Informers of several namespaces share a given item store, and would delete each other's items. */
    static boolean isSingle(Collection<String> namespaces) {
        return namespaces.size() == 1;
    }

    /** Drops the managed fields: they are half of an object, and nothing here reads them. */
    static <T extends HasMetadata> T withoutManagedFields(T object) {
        object.getMetadata().setManagedFields(null);
        return object;
    }

    void start() {
        operator.start();
    }

    @Override
    public void close() {
        operator.stop();
    }
}
