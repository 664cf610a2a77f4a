package io.knabla.runtime.tesseract;

import io.knabla.functions.unit.DataType;
import io.knabla.functions.unit.TensorSpec;
import io.knabla.runtime.engine.Elements;
import io.knabla.runtime.engine.Tensor;
import io.knabla.runtime.json.Json;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Reads arrays into tensors, from JSON objects or plain nested lists. An object is {@code {"object_type": "array",
 * "shape", "dtype", "data": {"buffer", "encoding"}}} with the encoding json or base64.
 */
final class ArrayReader {
    private final Faults faults;

    /** @param faults receives those of the arrays */
    ArrayReader(Faults faults) {
        this.faults = faults;
    }

    /** Whether this is one array, encoded or plain; a list of encoded ones is several. */
    static boolean isArray(Json json) {
        return switch (json) {
            case Json.Fields(var fields) ->
                fields.get("object_type") instanceof Json.Text(var type) && type.equals("array")
                        || fields.containsKey("shape") && fields.containsKey("dtype");
            case Json.Numbers _, Json.Text _, Json.Null _ -> true;
            case Json.Items(var items) ->
                items.stream().allMatch(item -> !(item instanceof Json.Fields) && isArray(item));
        };
    }

    /** Reads a tensor into direct memory; null after a fault. */
    Tensor read(Json json, TensorSpec spec, List<Object> place) {
        return switch (json) {
            case Json.Fields(var fields) -> encoded(fields, spec, place);
            case Json.Numbers numbers -> {
                long[] shape = shape(numbers);
                yield fits(spec, shape, place) ? numbers(numbers, spec, shape, place) : null;
            }
            case Json.Items _ -> fault(place, "array_non_numeric", "the array is ragged or holds what is no number");
            case Json.Text _, Json.Null _ -> fault(place, "array_non_numeric", "expected an array of numbers");
        };
    }

    private Tensor encoded(Map<String, Json> fields, TensorSpec spec, List<Object> place) {
        Optional<DataType> type =
                fields.get("dtype") instanceof Json.Text(var name) ? Dtypes.of(name) : Optional.empty();
        if (type.isEmpty()) {
            return fault(
                    place,
                    "array_dtype_unknown",
                    "its dtype is none of bool, int8 to int64, uint8 to uint64, float16 to float64");
        }
        if (!Dtypes.canCast(type.get(), spec.datatype())) {
            return fault(
                    place,
                    "array_dtype_mismatch",
                    "its dtype is %s, which cannot be cast to %s"
                            .formatted(
                                    Dtypes.name(type.get()).orElseThrow(),
                                    Dtypes.name(spec.datatype()).orElseThrow()));
        }
        long[] shape = shape(fields.get("shape"));
        if (shape == null) {
            return fault(place, "array_shape_invalid", "its shape is no list of sizes");
        }
        if (!fits(spec, shape, place)) {
            return null;
        }
        if (fields.get("data") instanceof Json.Fields(var packed)
                && packed.get("compression") instanceof Json.Text(var way)) {
            return fault(
                    place, "array_decode_error", "compression is not supported, and its data has '%s'".formatted(way));
        }
        return fields.get("data") instanceof Json.Fields(var data)
                        && data.get("encoding") instanceof Json.Text(var encoding)
                ? data(encoding, data.get("buffer"), type.get(), spec, shape, place)
                : fault(place, "array_decode_error", "its data lacks an encoding or a buffer");
    }

    private Tensor data(
            String encoding, Json buffer, DataType type, TensorSpec spec, long[] shape, List<Object> place) {
        return switch (encoding) {
            case "json" ->
                switch (buffer) {
                    case Json.Numbers numbers -> numbers(numbers, spec, shape, place);
                    case Json.Null _ -> numbers(Json.Numbers.nan(), spec, shape, place);
                    case null, default ->
                        fault(place, "array_decode_error", "its buffer is ragged or holds what is no number");
                };
            case "base64" ->
                buffer instanceof Json.Text(var text)
                        ? base64(text, type, spec, shape, place)
                        : fault(place, "array_decode_error", "its buffer is no text");
            default -> fault(place, "array_decode_error", "its encoding is not supported; send json or base64");
        };
    }

    private Tensor numbers(Json.Numbers numbers, TensorSpec spec, long[] shape, List<Object> place) {
        if (numbers.count() != elements(shape)) {
            return wrongCount(numbers.count(), shape, place);
        }
        ByteBuffer data = memory(spec, numbers.count());
        for (int i = 0; i < numbers.count(); i++) {
            double value = numbers.all().real(numbers.from() + i);
            long bits = numbers.all().integer(numbers.from() + i);
            if (!Elements.put(spec.datatype(), data, i, value, bits)) {
                return notOfType(value, spec, place);
            }
        }
        return Tensor.numbers(spec.name(), spec.datatype(), shape, data);
    }

    private Tensor base64(String text, DataType type, TensorSpec spec, long[] shape, List<Object> place) {
        ByteBuffer bytes;
        try {
            bytes = ByteBuffer.wrap(Base64.getDecoder().decode(text.getBytes(StandardCharsets.ISO_8859_1)))
                    .order(ByteOrder.LITTLE_ENDIAN);
        } catch (IllegalArgumentException malformed) {
            return fault(place, "array_decode_error", "its buffer is not base64");
        }
        if (bytes.remaining() != elements(shape) * type.bytes()) {
            return wrongCount(bytes.remaining() / (double) type.bytes(), shape, place);
        }
        int count = bytes.remaining() / type.bytes();
        ByteBuffer data = memory(spec, count);
        // Truth values are not copied: any byte but 0 is true, as numpy reads it, but the engine wants 0 or 1.
        if (type == spec.datatype() && type != DataType.BOOL) {
            data.put(bytes).flip();
            return Tensor.numbers(spec.name(), type, shape, data);
        }
        for (int i = 0; i < count; i++) {
            double value = Elements.real(type, bytes, i);
            long bits = Elements.isFloatingPoint(type) ? 0 : Elements.integer(type, bytes, i);
            if (!Elements.put(spec.datatype(), data, i, value, bits)) {
                return notOfType(value, spec, place);
            }
        }
        return Tensor.numbers(spec.name(), spec.datatype(), shape, data);
    }

    private static ByteBuffer memory(TensorSpec spec, int count) {
        return ByteBuffer.allocateDirect(
                        Math.multiplyExact(count, spec.datatype().bytes()))
                .order(ByteOrder.LITTLE_ENDIAN);
    }

    private static long[] shape(Json.Numbers numbers) {
        return numbers.shape().stream().mapToLong(Integer::longValue).toArray();
    }

    /** Parses a shape; null if it is not a list of sizes. */
    static long[] shape(Json json) {
        if (!(json instanceof Json.Numbers numbers) || numbers.shape().size() != 1) {
            return null;
        }
        long[] shape = new long[numbers.count()];
        for (int d = 0; d < shape.length; d++) {
            double size = numbers.all().real(numbers.from() + d);
            if (size < 0 || size != Math.rint(size) || size > Integer.MAX_VALUE) {
                return null;
            }
            shape[d] = (long) size;
        }
        return shape;
    }

    private static long elements(long[] shape) {
        long count = 1;
        for (long size : shape) {
            // Saturates instead of overflowing: each size is below 2^31.
            count = Math.min(count * size, Integer.MAX_VALUE);
        }
        return count;
    }

    /** Whether the specification allows this shape; adds a fault if not. */
    boolean fits(TensorSpec spec, long[] shape, List<Object> place) {
        boolean fits = shape.length == spec.shape().size();
        for (int d = 0; fits && d < shape.length; d++) {
            fits = spec.shape().get(d) < 0 || spec.shape().get(d) == shape[d];
        }
        if (!fits) {
            fault(place, "array_shape_mismatch", "Expected shape: %s. Found: %s.".formatted(text(spec), text(shape)));
        }
        return fits;
    }

    private static String text(TensorSpec spec) {
        return spec.shape().stream()
                .map(size -> size < 0 ? "None" : size.toString())
                .collect(Collectors.joining(", ", "(", ")"));
    }

    static String text(long[] shape) {
        return java.util.Arrays.stream(shape).mapToObj(Long::toString).collect(Collectors.joining(", ", "(", ")"));
    }

    private Tensor wrongCount(double found, long[] shape, List<Object> place) {
        return fault(
                place,
                "array_decode_error",
                "its buffer holds %s elements, its shape %s needs %d"
                        .formatted(
                                found == Math.rint(found) ? Long.toString((long) found) : Double.toString(found),
                                text(shape),
                                elements(shape)));
    }

    private Tensor notOfType(double value, TensorSpec spec, List<Object> place) {
        return fault(
                place,
                "array_dtype_mismatch",
                "%s is no %s"
                        .formatted(
                                value == Math.rint(value) && Math.abs(value) < 1e15
                                        ? Long.toString((long) value)
                                        : Double.toString(value),
                                Dtypes.name(spec.datatype()).orElseThrow()));
    }

    private Tensor fault(List<Object> place, String type, String sentence) {
        faults.add(new Fault(type, place, sentence));
        return null;
    }
}
