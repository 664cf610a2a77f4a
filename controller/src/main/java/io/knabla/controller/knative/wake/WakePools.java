package io.knabla.controller.knative.wake;

import io.fabric8.knative.serving.v1.Configuration;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.knabla.controller.catalog.Catalog;
import io.knabla.controller.catalog.CatalogException;
import io.knabla.controller.catalog.FunctionId;
import io.knabla.controller.catalog.FunctionListeners;
import io.knabla.controller.catalog.FunctionRecord;
import io.knabla.controller.config.Lifecycle;
import io.knabla.controller.config.PeriodicTask;
import io.knabla.controller.knative.Informers;
import io.knabla.controller.knative.WakePool;
import io.knabla.controller.knative.manifest.PoolObjects;
import io.knabla.controller.knative.resource.Labels;
import io.knabla.functions.unit.UnitAssignment;
import io.knabla.storage.Content;
import io.knabla.storage.ObjectStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Keeps a pool in each namespace that opted in and has a function, and reads which functions are called there. */
public final class WakePools implements WakePool, Lifecycle {
    private static final System.Logger LOG = System.getLogger(WakePools.class.getName());
    private static final Duration PERIOD = Duration.ofSeconds(1);

    private final Catalog catalog;
    private final ObjectStore store;
    private final PoolNamespaces namespaces;
    private final PoolObjects.Size size;
    private final PoolApplier applier;
    private final BooleanSupplier leads;
    private final List<SharedIndexInformer<Pod>> pods;
    private final List<SharedIndexInformer<Configuration>> configurations;
    private final PoolReader reader = new PoolReader();
    private final Map<String, PoolReport> reports = new ConcurrentHashMap<>();
    private final Map<FunctionId, State> told = new HashMap<>();
    private final Map<FunctionId, UnitAssignment> assigned = new ConcurrentHashMap<>();
    private final FunctionListeners listeners = new FunctionListeners();
    private final PeriodicTask task =
            new PeriodicTask("knabla-wake", "look after the wake pools", this::roundIfLeading);

    /**
     * @param watched namespaces of this controller; empty for all
     * @param leads whether this controller is the one that acts
     */
    WakePools(
            KubernetesClient client,
            Catalog catalog,
            ObjectStore store,
            PoolNamespaces namespaces,
            List<String> watched,
            PoolObjects objects,
            BooleanSupplier leads) {
        this.catalog = catalog;
        this.store = store;
        this.namespaces = namespaces;
        this.size = objects.size();
        this.leads = leads;
        applier = new PoolApplier(client, objects);
        pods = watched.isEmpty()
                ? List.of(informer(client.pods().inAnyNamespace().withLabel(Labels.WAKE_POOL)))
                : watched.stream()
                        .map(name -> informer(client.pods().inNamespace(name).withLabel(Labels.WAKE_POOL)))
                        .toList();
        var all = client.resources(Configuration.class);
        configurations = watched.isEmpty()
                ? List.of(informer(all.inAnyNamespace().withLabel(Labels.WAKE_POOL)))
                : watched.stream()
                        .map(name -> informer(all.inNamespace(name).withLabel(Labels.WAKE_POOL)))
                        .toList();
    }

    private static <T extends io.fabric8.kubernetes.api.model.HasMetadata> SharedIndexInformer<T> informer(
            io.fabric8.kubernetes.client.dsl.Informable<T> which) {
        return Informers.of(which, UnaryOperator.identity());
    }

    @Override
    public void start() {
        pods.forEach(SharedIndexInformer::start);
        configurations.forEach(SharedIndexInformer::start);
        task.start(PERIOD, PERIOD);
    }

    private void roundIfLeading() {
        boolean synced = configurations.stream().allMatch(SharedIndexInformer::hasSynced);
        if (leads.getAsBoolean() && synced && catalog.isLoaded()) {
            round();
        } else {
            applier.forget();
        }
    }

    private void round() {
        List<FunctionId> functions = catalog.list().stream()
                .map(FunctionRecord::id)
                .filter(id -> namespaces.has(id.namespace()))
                .toList();
        Set<String> there = configurations().stream()
                .map(it -> it.getMetadata().getNamespace())
                .collect(Collectors.toSet());
        applier.apply(wanted(functions), there);
        reports.keySet().retainAll(there);
        readyPods()
                .forEach(pod -> reader.read(pod)
                        .ifPresent(report -> reports.put(pod.getMetadata().getNamespace(), report)));
        assigned.keySet().retainAll(functions);
        tell(functions);
    }

    /** Namespaces with functions; one whose document cannot be read is not deleted. */
    private Set<String> wanted(List<FunctionId> functions) {
        return Stream.concat(functions.stream(), catalog.troubles().stream().map(CatalogException::function))
                .map(FunctionId::namespace)
                .filter(namespaces::has)
                .collect(Collectors.toSet());
    }

    private List<Configuration> configurations() {
        return configurations.stream()
                .flatMap(informer -> informer.getStore().list().stream())
                .toList();
    }

    private List<Pod> readyPods() {
        return pods.stream()
                .flatMap(informer -> informer.getStore().list().stream())
                .filter(pod -> pod.getMetadata().getDeletionTimestamp() == null)
                .filter(pod -> pod.getStatus().getPodIP() != null)
                .filter(pod -> pod.getStatus().getConditions().stream()
                        .anyMatch(it ->
                                it.getType().equals("Ready") && it.getStatus().equals("True")))
                .toList();
    }

    private void tell(List<FunctionId> functions) {
        told.keySet().retainAll(functions);
        for (FunctionId id : functions) {
            State now = state(id);
            if (!now.equals(told.put(id, now))) {
                listeners.tell(id);
            }
        }
    }

    @Override
    public Optional<State> of(FunctionId function) {
        return namespaces.has(function.namespace()) ? Optional.of(state(function)) : Optional.empty();
    }

    private State state(FunctionId function) {
        boolean ready = readyPods().stream()
                .anyMatch(pod -> pod.getMetadata().getNamespace().equals(function.namespace()));
        PoolReport report = reports.get(function.namespace());
        boolean often = report != null && report.calledOften().contains(function.name());
        return new State(ready, often, size.memberBytes());
    }

    @Override
    public void assign(FunctionId function, UnitAssignment assignment) {
        Map<String, String> bounded = new HashMap<>(assignment.environment());
        bounded.computeIfPresent(
                "KNABLA_MAX_BODY_BYTES",
                (_, bytes) -> Long.toString(Math.min(Long.parseLong(bytes), size.maxBodyBytes())));
        var fitting = new UnitAssignment(bounded);
        if (!fitting.equals(assigned.get(function))) {
            try {
                store.write(UnitAssignment.key(function.namespace(), function.name()), Content.of(fitting.bytes()));
            } catch (IOException failed) {
                throw new UncheckedIOException(failed);
            }
            assigned.put(function, fitting);
        }
    }

    @Override
    public Runnable onChange(Consumer<FunctionId> listener) {
        return listeners.add(listener);
    }

    @Override
    public void close() {
        task.close();
        reader.close();
        pods.forEach(SharedIndexInformer::close);
        configurations.forEach(SharedIndexInformer::close);
    }
}
