package io.knabla.controller.simulate.warm;

import io.knabla.controller.simulate.warm.baseline.LayerPolicy.Layer;
import io.knabla.controller.warm.policy.StartCost;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.Map;

/** Replicas that released their model and that any function can take over, the latest first. */
final class SharedLayers {
    private final Map<Layer, Deque<Replica>> free =
            new EnumMap<>(Map.of(Layer.SANDBOX, new ArrayDeque<>(), Layer.RUNTIME, new ArrayDeque<>()));

    /** The topmost layer that is free; null if there is none. */
    Layer best() {
        if (!free.get(Layer.RUNTIME).isEmpty()) {
            return Layer.RUNTIME;
        }
        return free.get(Layer.SANDBOX).isEmpty() ? null : Layer.SANDBOX;
    }

    Replica take(Layer layer) {
        Replica taken = free.get(layer).pop();
        taken.stamp++;
        return taken;
    }

    void add(Replica replica) {
        free.get(replica.layer).push(replica);
    }

    void remove(Replica replica) {
        free.get(replica.layer).remove(replica);
    }

    static double missingSeconds(Layer layer, StartCost start) {
        return switch (layer) {
            case RUNTIME -> start.modelSeconds();
            case SANDBOX -> start.modelSeconds() + start.runtimeSeconds();
            case null -> start.seconds();
        };
    }

    /** Memory that a replica holds with this layer on top. */
    static double gb(Layer layer, StartCost start) {
        return switch (layer) {
            case RUNTIME -> start.sandboxGb() + start.runtimeGb();
            case SANDBOX -> start.sandboxGb();
            case null -> start.gb();
        };
    }
}
