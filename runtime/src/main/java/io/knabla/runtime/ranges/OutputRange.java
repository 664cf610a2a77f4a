package io.knabla.runtime.ranges;

import io.knabla.runtime.engine.Elements;
import io.knabla.runtime.engine.Tensor;

/** The least and the largest element of an output. */
public record OutputRange(double low, double high) {
    /** NaN if one of the elements is. */
    static OutputRange of(Tensor output) {
        double low = Double.POSITIVE_INFINITY;
        double high = Double.NEGATIVE_INFINITY;
        for (int i = 0; i < output.elements(); i++) {
            double value = Elements.real(output.type(), output.data(), i);
            low = Math.min(low, value);
            high = Math.max(high, value);
        }
        return new OutputRange(low, high);
    }

    OutputRange join(OutputRange other) {
        return new OutputRange(Math.min(low, other.low), Math.max(high, other.high));
    }

    boolean isFinite() {
        return Double.isFinite(low) && Double.isFinite(high);
    }
}
