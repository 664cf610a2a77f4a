package io.knabla.runtime.answers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import io.knabla.functions.compiler.interpreter.NdArray;
import io.knabla.functions.unit.DataType;
import io.knabla.runtime.engine.Elements;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * An array in a form that all sources of answers have in common.
 *
 * @param data of {@code Double}, {@code Long} (booleans, too) or {@code String}
 */
record Values(List<Long> shape, List<?> data) {
    private static final double TOLERANCE = 1e-5;

    static Values of(NdArray array) {
        List<Long> shape = Arrays.stream(array.dims()).asLongStream().boxed().toList();
        IntStream all = IntStream.range(0, array.size());
        return array.element().isFloat()
                ? new Values(shape, all.mapToObj(array::real).toList())
                : new Values(shape, all.mapToObj(array::whole).toList());
    }

    static Values of(List<Long> shape, DataType type, JsonNode data) {
        var values = new ArrayList<>();
        for (JsonNode value : data) {
            values.add(
                    switch (type) {
                        case BYTES -> value.textValue();
                        case BOOL -> value.booleanValue() ? 1L : 0L;
                        default -> Elements.isFloatingPoint(type) ? (Object) value.doubleValue() : value.longValue();
                    });
        }
        return new Values(shape, values);
    }

    /** @param data the tensor's bytes, in the protocol's order */
    static Values of(List<Long> shape, DataType type, ByteBuffer data) {
        ByteBuffer raw = data.slice().order(ByteOrder.LITTLE_ENDIAN);
        var values = new ArrayList<>();
        if (type == DataType.BYTES) {
            while (raw.hasRemaining()) {
                byte[] text = new byte[raw.getInt()];
                raw.get(text);
                values.add(new String(text, StandardCharsets.UTF_8));
            }
            return new Values(shape, values);
        }
        for (int i = 0; i < raw.limit() / type.bytes(); i++) {
            values.add(
                    Elements.isFloatingPoint(type)
                            ? (Object) Elements.real(type, raw, i)
                            : Elements.integer(type, raw, i));
        }
        return new Values(shape, values);
    }

    /** Fails unless {@code found} has the same values; floats may be rounded differently. */
    void expect(String what, Values found) {
        assertThat(found.shape).as("%s: shape", what).isEqualTo(shape);
        assertThat(found.data).as(what).hasSameSizeAs(data);
        for (int i = 0; i < data.size(); i++) {
            if (data.get(i) instanceof Double real) {
                assertThat((Double) found.data.get(i))
                        .as("%s at %d of %s", what, i, found)
                        .isCloseTo(real, within(TOLERANCE * Math.max(1, Math.abs(real))));
            } else {
                assertThat((Object) found.data.get(i)).as("%s at %d", what, i).isEqualTo(data.get(i));
            }
        }
    }
}
