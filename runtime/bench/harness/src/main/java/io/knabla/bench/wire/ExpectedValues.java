package io.knabla.bench.wire;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Compares the first output of a response, in JSON or binary, with the expected values. */
final class ExpectedValues {
    // Batching and other kernels change the order of additions; a wrong answer differs far more.
    private static final float TOLERANCE = 1e-3f;
    private static final ObjectMapper JSON = new ObjectMapper();

    private final float[] expected;

    ExpectedValues(float[] expected) {
        this.expected = expected.clone();
    }

    boolean json(HttpAnswer answer) {
        try {
            JsonNode data = JSON.readTree(answer.body()).at("/outputs/0/data");
            float[] values = new float[data.size()];
            for (int i = 0; i < values.length; i++) {
                values[i] = data.get(i).floatValue();
            }
            return near(values);
        } catch (IOException notJson) {
            return false;
        }
    }

    boolean binary(HttpAnswer answer) {
        int at = answer.tensorsAt();
        if (at == 0 || at > answer.body().length) {
            return false;
        }
        return near(floats(answer.body(), at));
    }

    /** The tensor's bytes are the last of the message. */
    boolean grpc(HttpAnswer answer) {
        int size = expected.length * Float.BYTES;
        return answer.body().length >= size && near(floats(answer.body(), answer.body().length - size));
    }

    private static float[] floats(byte[] bytes, int at) {
        var floats = ByteBuffer.wrap(bytes, at, bytes.length - at)
                .order(ByteOrder.LITTLE_ENDIAN)
                .asFloatBuffer();
        float[] values = new float[floats.remaining()];
        floats.get(values);
        return values;
    }

    private boolean near(float[] values) {
        if (values.length != expected.length) {
            return false;
        }
        for (int i = 0; i < values.length; i++) {
            // False for NaN.
            boolean close = Math.abs(values[i] - expected[i]) <= TOLERANCE * (1 + Math.abs(expected[i]));
            if (!close) {
                return false;
            }
        }
        return true;
    }
}
