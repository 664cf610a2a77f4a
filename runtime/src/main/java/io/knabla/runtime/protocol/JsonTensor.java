package io.knabla.runtime.protocol;

import static io.knabla.runtime.protocol.ProtocolException.bad;

import io.knabla.functions.unit.DataType;
import io.knabla.functions.unit.TensorSpec;
import io.knabla.runtime.engine.Elements;
import io.knabla.runtime.engine.Tensor;
import io.knabla.runtime.json.Json;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/** Reads nested JSON as the tensor of an input; its nesting is the shape. */
final class JsonTensor {
    private final TensorSpec spec;
    private final Tensor tensor;
    private int filled;

    private JsonTensor(TensorSpec spec, Tensor tensor) {
        this.spec = spec;
        this.tensor = tensor;
    }

    static Tensor read(Json json, TensorSpec spec) {
        long[] shape = shape(json, spec).stream().mapToLong(Integer::longValue).toArray();
        Signature.checkShape(spec, shape);
        int count = (int) JsonTensorReader.elements(spec.name(), shape);
        var reader = new JsonTensor(spec, empty(spec, shape, count));
        reader.fill(json);
        return reader.tensor;
    }

    private static Tensor empty(TensorSpec spec, long[] shape, int count) {
        if (spec.datatype() == DataType.BYTES) {
            return Tensor.texts(spec.name(), shape, new byte[count][]);
        }
        int bytes = Math.multiplyExact(count, spec.datatype().bytes());
        return Tensor.numbers(
                spec.name(),
                spec.datatype(),
                shape,
                ByteBuffer.allocateDirect(bytes).order(ByteOrder.LITTLE_ENDIAN));
    }

    private static List<Integer> shape(Json json, TensorSpec spec) {
        return switch (json) {
            case Json.Numbers numbers -> numbers.shape();
            case Json.Text _, Json.Null _ -> List.of();
            case Json.Fields value when Base64Value.is(value) -> List.of();
            case Json.Items(var items) -> {
                List<Integer> inner = shape(items.getFirst(), spec);
                // Each item once: nested arrays would else take twice the time at every level.
                if (items.stream().skip(1).anyMatch(item -> !shape(item, spec).equals(inner))) {
                    throw bad("input '%s' is ragged: its arrays have different sizes or depths", spec.name());
                }
                var whole = new ArrayList<Integer>();
                whole.add(items.size());
                whole.addAll(inner);
                yield whole;
            }
            case Json.Fields _ -> throw bad("input '%s' holds an object in place of a value", spec.name());
        };
    }

    private void fill(Json json) {
        switch (json) {
            case Json.Numbers numbers -> {
                for (int i = numbers.from(); i < numbers.from() + numbers.count(); i++) {
                    put(numbers.all().real(i), numbers.all().integer(i));
                }
            }
            case Json.Null _ -> put(Double.NaN, 0);
            case Json.Text(var text) -> put(text);
            case Json.Fields value
            when Base64Value.is(value) -> {
                byte[] text = Base64Value.text(value, spec);
                tensor.texts()[filled++] = text;
            }
            case Json.Items(var items) -> items.forEach(this::fill);
            case Json.Fields _ -> throw new IllegalStateException("refused before");
        }
    }

    private void put(double value, long bits) {
        if (tensor.texts() != null || !Elements.put(spec.datatype(), tensor.data(), filled, value, bits)) {
            throw bad("input '%s' holds %s at element %d, which is no %s", spec.name(), value, filled, spec.datatype());
        }
        filled++;
    }

    private void put(String text) {
        if (tensor.texts() == null) {
            throw bad("input '%s' holds a text at element %d, which is no %s", spec.name(), filled, spec.datatype());
        }
        tensor.texts()[filled] = Utf8.bytes(text)
                .orElseThrow(() -> bad(
                        "input '%s' holds half of a surrogate pair at element %d, which is no text",
                        spec.name(), filled));
        filled++;
    }
}
