package io.knabla.runtime.tesseract;

import com.fasterxml.jackson.core.JsonGenerator;
import io.knabla.functions.unit.DataType;
import io.knabla.functions.unit.TensorSpec;
import io.knabla.runtime.engine.Engine;
import io.knabla.runtime.engine.Tensor;
import io.knabla.runtime.json.Json;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Implements {@code /abstract_eval}: computes output shapes and dtypes from input shapes and dtypes. */
final class AbstractEval {
    /** Largest input of a trial run, which is needed if the signature does not determine the shapes. */
    private static final long MAX_ELEMENTS = 1 << 24;

    private AbstractEval() {}

    static Map<String, long[]> shapes(Engine engine, Capabilities offer, RequestBody body, long arrived) {
        var given = new LinkedHashMap<TensorSpec, long[]>();
        var sizes = new DimensionBindings();
        body.leaves("inputs", offer.inputs()).forEach((spec, leaf) -> {
            long[] shape = shape(leaf, spec, body.faults());
            if (shape != null) {
                given.put(spec, shape);
                sizes.bind(spec, shape)
                        .ifPresent(clash -> body.faults().add(new Fault("value_error", leaf.place(), clash)));
            }
        });
        body.finish();
        var shapes = new HashMap<String, long[]>();
        for (TensorSpec output : offer.outputs()) {
            sizes.shape(output).ifPresent(shape -> shapes.put(output.name(), shape));
        }
        return shapes.size() == offer.outputs().size() ? shapes : trial(engine, offer, given, arrived);
    }

    /** Finds the output shapes by running the model on zeros. */
    private static Map<String, long[]> trial(
            Engine engine, Capabilities offer, Map<TensorSpec, long[]> given, long arrived) {
        var zeros = new LinkedHashMap<String, Tensor>();
        given.forEach((spec, shape) -> {
            long count = RequestRunner.elementCount(shape);
            if (count > MAX_ELEMENTS) {
                throw RequestException.withStatus(
                        413,
                        "only a trial run can determine these shapes, and input '%s' has %d elements; a trial run allows at most %d",
                        spec.name(),
                        count,
                        MAX_ELEMENTS);
            }
            ByteBuffer data = ByteBuffer.allocateDirect(
                            (int) count * spec.datatype().bytes())
                    .order(ByteOrder.LITTLE_ENDIAN);
            zeros.put(spec.name(), Tensor.numbers(spec.name(), spec.datatype(), shape, data));
        });
        try (var calls = new RequestRunner(engine, offer, zeros, arrived)) {
            return calls.outputShapes();
        }
    }

    private static long[] shape(FieldPaths.Leaf leaf, TensorSpec spec, Faults faults) {
        if (leaf.array() instanceof Json.Fields(var fields)) {
            Optional<DataType> type =
                    fields.get("dtype") instanceof Json.Text(var name) ? Dtypes.of(name) : Optional.empty();
            long[] shape = ArrayReader.shape(fields.get("shape"));
            if (type.isPresent() && shape != null) {
                boolean fits = new ArrayReader(faults).fits(spec, shape, leaf.place());
                return fits ? shape : null;
            }
        }
        faults.add(new Fault("value_error", leaf.place(), "expected a shape and a dtype"));
        return null;
    }

    static void write(JsonGenerator out, TensorSpec spec, long[] shape) throws IOException {
        out.writeStartObject();
        out.writeArrayFieldStart("shape");
        for (long size : shape) {
            out.writeNumber(size);
        }
        out.writeEndArray();
        out.writeStringField("dtype", Dtypes.name(spec.datatype()).orElseThrow());
        out.writeEndObject();
    }
}
