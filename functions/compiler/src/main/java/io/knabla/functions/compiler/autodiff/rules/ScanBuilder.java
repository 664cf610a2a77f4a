package io.knabla.functions.compiler.autodiff.rules;

import io.knabla.functions.compiler.ir.Attributes;
import io.knabla.functions.compiler.ir.Body;
import io.knabla.functions.compiler.ir.Builder;
import io.knabla.functions.compiler.ir.Op;
import io.knabla.functions.compiler.ir.Value;
import io.knabla.functions.compiler.onnx.Shape;
import io.knabla.functions.compiler.onnx.TensorType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BinaryOperator;

/** Builds Scan operations. */
final class ScanBuilder {
    private ScanBuilder() {}

    /**
     * How a tensor is sliced: along which axis, and in which direction.
     *
     * @param axis to slice along
     * @param backwards whether the first step reads or writes the last slice
     */
    record ScanAxis(long axis, boolean backwards) {
        static final ScanAxis FORWARDS = new ScanAxis(0, false);
        static final ScanAxis BACKWARDS = new ScanAxis(0, true);

        ScanAxis reversed() {
            return new ScanAxis(axis, !backwards);
        }
    }

    /** A tensor read slice by slice. */
    record SlicedTensor(Value value, ScanAxis scanAxis) {
        TensorType slice() {
            TensorType type = value.type();
            return new TensorType(type.element(), type.shape().map(s -> {
                var dims = new ArrayList<>(s.dims());
                long axis = scanAxis.axis;
                dims.remove((int) (axis < 0 ? axis + s.rank() : axis));
                return new Shape(dims);
            }));
        }
    }

    /**
     * Builds a Scan from its step.
     *
     * @param step from carried values and slices to carried values and slices of the results
     * @return the last carried values, then the results
     */
    static List<Value> build(
            Builder builder,
            List<Value> initial,
            List<SlicedTensor> read,
            List<ScanAxis> written,
            BinaryOperator<List<Value>> step) {
        var types = new ArrayList<TensorType>();
        initial.forEach(v -> types.add(v.type()));
        read.forEach(stream -> types.add(stream.slice()));
        Body body = builder.body(
                types,
                given -> step.apply(given.subList(0, initial.size()), given.subList(initial.size(), given.size())));
        return of(builder, initial, read, written, body).outputs();
    }

    static Op of(Builder builder, List<Value> initial, List<SlicedTensor> read, List<ScanAxis> written, Body body) {
        var inputs = new ArrayList<>(initial);
        read.forEach(stream -> inputs.add(stream.value));
        Attributes attributes = Attributes.of("num_scan_inputs", read.size())
                .with("scan_input_axes", read.stream().map(s -> s.scanAxis.axis).toList())
                .with(
                        "scan_input_directions",
                        read.stream().map(s -> s.scanAxis.backwards ? 1L : 0L).toList());
        if (!written.isEmpty()) {
            attributes = attributes
                    .with(
                            "scan_output_axes",
                            written.stream().map(ScanAxis::axis).toList())
                    .with(
                            "scan_output_directions",
                            written.stream().map(p -> p.backwards ? 1L : 0L).toList());
        }
        var spec = new Op.Spec("", "", "Scan", attributes, inputs, Map.of("body", body));
        return builder.op(spec, initial.size() + written.size());
    }
}
