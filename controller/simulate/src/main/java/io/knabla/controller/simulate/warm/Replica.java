package io.knabla.controller.simulate.warm;

import io.knabla.controller.simulate.warm.baseline.LayerPolicy.Layer;

/** A simulated replica: of a function, or a layer that any function can take over. */
final class Replica {
    /** Its number among the function's replicas, from 0. */
    final int slot;

    /** Of which it is, or was before it released its model. */
    final SimulatedFunction function;

    /** The topmost layer that is left; null while the model is loaded. */
    Layer layer;

    /** Whether it was started ahead of a request, and none has come yet. */
    boolean preWarmed;

    int running;
    long idleSince;
    long readyAt;

    /** When it is released if no request has come. */
    long keptUntil;

    /** Counts changes, so that an older release is void. */
    long stamp;

    Replica(SimulatedFunction function, int slot, long now) {
        this.function = function;
        this.slot = slot;
        this.idleSince = now;
        this.readyAt = now;
    }
}
