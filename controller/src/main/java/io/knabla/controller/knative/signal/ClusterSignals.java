package io.knabla.controller.knative.signal;

import io.fabric8.kubernetes.api.model.Node;
import io.knabla.controller.config.Lifecycle;
import io.knabla.controller.config.PeriodicTask;
import io.knabla.controller.knative.KnativeView;
import io.knabla.controller.platform.CapacitySignals;
import io.knabla.controller.spot.aws.SignalQueue;
import io.knabla.controller.spot.signal.CapacitySignal;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Receives capacity signals of a cluster's nodes: from their taints always, and from a queue while this controller
 * leads. A signal of an instance that is no node of the cluster is dropped.
 */
public final class ClusterSignals implements Lifecycle {
    private static final Duration PAUSE = Duration.ofSeconds(1);

    private final KnativeView view;
    private final CapacitySignals signals;
    private final Consumer<Node> interrupted;
    private final InstantSource clock;
    private final BooleanSupplier leads;
    private final Optional<SignalQueue> queue;
    private final Map<String, CapacitySignal> byTaint = new HashMap<>();
    private final PeriodicTask task =
            new PeriodicTask("knabla-signals", "read the queue of interruptions", this::receive);

    /**
     * @param interrupted is told of nodes that a message of the queue says the provider takes back
     * @param leads whether this controller reads the queue
     * @param url of the queue; empty without one
     */
    ClusterSignals(
            KnativeView view,
            CapacitySignals signals,
            Consumer<Node> interrupted,
            InstantSource clock,
            BooleanSupplier leads,
            Optional<String> url) {
        this.view = view;
        this.signals = signals;
        this.interrupted = interrupted;
        this.clock = clock;
        this.leads = leads;
        this.queue = url.map(address -> new SignalQueue(address, this::received));
    }

    @Override
    public void start() {
        view.onNodes(this::look);
        look();
        if (queue.isPresent()) {
            task.start(Duration.ZERO, PAUSE);
        }
    }

    /** Takes up the taints as they are now, and forgets nodes that are gone. */
    synchronized void look() {
        Map<String, CapacitySignal> now = new HashMap<>();
        Set<String> names = new HashSet<>();
        for (Node node : view.nodeObjects()) {
            names.add(node.getMetadata().getName());
            NodeTaints.signal(node, clock.instant()).ifPresent(signal -> now.put(signal.node(), signal));
        }
        now.forEach((name, signal) -> byTaint.compute(name, (_, before) -> {
            if (before != null && before.kind() == signal.kind()) {
                return before;
            }
            signals.accept(signal);
            return signal;
        }));
        Set<String> untainted = new HashSet<>(byTaint.keySet());
        untainted.removeAll(now.keySet());
        untainted.forEach(name -> signals.forget(byTaint.remove(name)));
        signals.current().values().stream()
                .filter(signal -> !names.contains(signal.node()))
                .forEach(signals::forget);
    }

    private void receive() {
        if (leads.getAsBoolean()) {
            queue.ifPresent(SignalQueue::receive);
        }
    }

    /** @param signal of an instance, by its id */
    void received(CapacitySignal signal) {
        view.nodeObjects().stream()
                .filter(node -> isInstance(node, signal.node()))
                .forEach(node -> {
                    CapacitySignal ofNode = signal.of(node.getMetadata().getName());
                    if (signals.accept(ofNode) && ofNode.isInterruption()) {
                        interrupted.accept(node);
                    }
                });
    }

    /** A provider id ends with the instance, as in {@code aws:///eu-central-1a/i-0123456789abcdef0}. */
    private static boolean isInstance(Node node, String instance) {
        String id = node.getSpec() == null ? null : node.getSpec().getProviderID();
        return id != null && id.endsWith("/" + instance);
    }

    @Override
    public void close() {
        task.close();
        queue.ifPresent(SignalQueue::close);
    }
}
