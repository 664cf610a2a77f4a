package io.knabla.controller.simulate.warm.baseline;

import io.knabla.controller.warm.policy.WarmPolicy;

/** Decides how long the layers that functions share are kept after a replica released its model. Not thread-safe. */
public interface LayerPolicy {
    LayerPolicy NONE = new LayerPolicy() {
        @Override
        public void arrived(long now) {}

        @Override
        public long keepMillis(Layer layer, long now) {
            return 0;
        }
    };

    /** What becomes of layers below the model when it is released; policies but RainbowCake keep none. */
    static LayerPolicy of(WarmPolicy policy) {
        return policy instanceof RainbowCakePolicy layered ? layered.layers() : NONE;
    }

    /** A layer of a replica that any function can take over. */
    enum Layer {
        /** An empty container. */
        SANDBOX,
        /** A process with its engine, without a model. */
        RUNTIME
    }

    /** A request of any function begins. */
    void arrived(long now);

    /** Time for which the layer is kept; 0 releases it. */
    long keepMillis(Layer layer, long now);
}
