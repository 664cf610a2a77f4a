package io.knabla.runtime.protocol;

import io.knabla.runtime.engine.Tensor;
import io.knabla.runtime.protocol.ResponseEncoder.Body;
import java.util.Arrays;
import java.util.List;

/**
 * Encodes outputs for KServe's V1 {@code :predict}: rows as {@code predictions}, columns as {@code outputs}, each a
 * value if the model has one output, else an object with the value of each.
 */
public final class PredictEncoder {
    private final JsonWriter json = new JsonWriter(1024);
    private final List<Tensor> outputs;

    private PredictEncoder(List<Tensor> outputs) {
        this.outputs = outputs;
    }

    /** @param outputs all of the model's, in its order */
    public static Body encode(PredictRequest request, List<Tensor> outputs) {
        var encoder = new PredictEncoder(outputs);
        if (request.instances().isPresent()) {
            encoder.rows(request.instances().getAsInt());
        } else {
            encoder.json.raw("{\"outputs\":");
            encoder.value(-1);
        }
        encoder.json.raw("}");
        return new Body(encoder.json.bytes(), encoder.json.size(), encoder.json.size());
    }

    private void rows(int count) {
        for (Tensor output : outputs) {
            if (output.shape().length == 0 || output.shape()[0] != count) {
                throw withoutRows(output.name(), Arrays.toString(output.shape()), count);
            }
        }
        json.raw("{\"predictions\":[");
        for (int row = 0; row < count; row++) {
            json.raw(row == 0 ? "" : ",");
            value(row);
        }
        json.raw("]");
    }

    static ProtocolException withoutRows(String output, String shape, int count) {
        return ProtocolException.bad(
                "output '%s' has shape %s, so there is no row of it for each of the %d instances; send columns in 'inputs', or call infer",
                output, shape, count);
    }

    /** @param row to write; -1 for all */
    private void value(int row) {
        if (outputs.size() == 1) {
            tensor(outputs.getFirst(), row);
            return;
        }
        String separator = "{";
        for (Tensor output : outputs) {
            json.raw(separator).text(output.name()).raw(":");
            tensor(output, row);
            separator = ",";
        }
        json.raw("}");
    }

    private void tensor(Tensor output, int row) {
        if (row < 0) {
            nested(output, 0, 0);
        } else {
            nested(output, 1, row * (output.elements() / (int) output.shape()[0]));
        }
    }

    /** Writes the block at {@code from}, whose first dimension is {@code depth}; returns the start of the next one. */
    private int nested(Tensor output, int depth, int from) {
        if (depth == output.shape().length) {
            ResponseEncoder.element(json, output, from);
            return from + 1;
        }
        int next = from;
        json.raw("[");
        for (long i = 0; i < output.shape()[depth]; i++) {
            json.raw(i == 0 ? "" : ",");
            next = nested(output, depth + 1, next);
        }
        json.raw("]");
        return next;
    }
}
