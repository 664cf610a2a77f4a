package io.knabla.functions.packaging;

import ai.onnx.proto.OnnxMl.GraphProto;
import ai.onnx.proto.OnnxMl.TensorProto;
import ai.onnx.proto.OnnxMl.TensorShapeProto;
import ai.onnx.proto.OnnxMl.TypeProto;
import ai.onnx.proto.OnnxMl.ValueInfoProto;
import io.knabla.functions.compiler.onnx.Dim;
import io.knabla.functions.compiler.onnx.ElementType;
import io.knabla.functions.compiler.onnx.Limits;
import io.knabla.functions.compiler.onnx.Shape;
import io.knabla.functions.compiler.onnx.TensorType;
import io.knabla.functions.unit.DataType;
import io.knabla.functions.unit.ManifestLimits;
import io.knabla.functions.unit.TensorSpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Reads a model's inputs and outputs and whether it is batchable; collects a fault for each that the Open Inference
 * Protocol cannot express.
 */
final class SignatureReader {
    private static final int MAX_RANK = 32;

    /**
     * Inputs and outputs of a graph.
     *
     * @param batchable see {@link io.knabla.functions.unit.GraphManifest}
     */
    record Signature(List<TensorSpec> inputs, List<TensorSpec> outputs, boolean batchable) {}

    private final Map<String, TensorType> inferred;
    private final FaultCollector faults;

    private SignatureReader(Map<String, TensorType> inferred, FaultCollector faults) {
        this.inferred = inferred;
        this.faults = faults;
    }

    /** @param inferred inferred types, for outputs without a shape in the file */
    static Signature read(GraphProto graph, Map<String, TensorType> inferred, FaultCollector faults) {
        var reader = new SignatureReader(inferred, faults);
        List<TensorSpec> inputs = reader.specs("graph.input", graph.getInputList(), initializers(graph));
        List<TensorSpec> outputs = reader.specs("graph.output", graph.getOutputList(), Set.of());
        if (graph.getOutputCount() == 0) {
            faults.add("graph.output", "is empty: a model without outputs has nothing to answer");
        }
        return new Signature(inputs, outputs, batchable(inputs, outputs));
    }

    static boolean leavesShapesOut(GraphProto graph) {
        return graph.getOutputList().stream()
                .anyMatch(output -> !output.getType().getTensorType().hasShape());
    }

    /** Old models also list their weights as inputs, which callers do not send. */
    private static Set<String> initializers(GraphProto graph) {
        var names = new HashSet<String>();
        for (TensorProto tensor : graph.getInitializerList()) {
            names.add(tensor.getName());
        }
        graph.getSparseInitializerList().forEach(s -> names.add(s.getValues().getName()));
        return names;
    }

    private List<TensorSpec> specs(String path, List<ValueInfoProto> values, Set<String> without) {
        var specs = new ArrayList<TensorSpec>();
        if (values.size() > ManifestLimits.TENSORS + without.size()) {
            faults.add(path, "lists %,d tensors, at most %,d are allowed", values.size(), ManifestLimits.TENSORS);
            return specs;
        }
        for (ValueInfoProto value : values) {
            if (!without.contains(value.getName())) {
                spec(path + "['" + StructureCheck.shown(value.getName()) + "']", value)
                        .ifPresent(specs::add);
            }
        }
        return specs;
    }

    private Optional<TensorSpec> spec(String path, ValueInfoProto value) {
        if (value.getName().indexOf('\ufffd') >= 0) {
            faults.add(path, "has a name that is not UTF-8 text");
            return Optional.empty();
        }
        if (tooLong(value.getName())) {
            faults.add(path, "has a name of %s", length(value.getName()));
            return Optional.empty();
        }
        TypeProto type = value.getType();
        if (!type.hasTensorType()) {
            faults.add(path, "is %s", unservable(type));
            return Optional.empty();
        }
        int number = type.getTensorType().getElemType();
        Optional<DataType> datatype = DataType.ofOnnx(number);
        if (datatype.isEmpty()) {
            faults.add(
                    path,
                    "has element type %s; allowed are %s. Cast it inside the model",
                    ElementType.of(number) == ElementType.UNDEFINED ? "number " + number : ElementType.of(number),
                    Arrays.toString(DataType.values()));
            return Optional.empty();
        }
        return shaped(path, value, datatype.get()).filter(spec -> fits(path, spec));
    }

    private Optional<TensorSpec> shaped(String path, ValueInfoProto value, DataType datatype) {
        TypeProto.Tensor type = value.getType().getTensorType();
        if (type.hasShape()) {
            return shape(path, value.getName(), datatype, type.getShape());
        }
        Optional<Shape> shape =
                inferred.getOrDefault(value.getName(), TensorType.UNKNOWN).shape();
        if (shape.isEmpty()) {
            faults.add(
                    path,
                    "has no shape, not even a number of dimensions; write it in function.yaml: spec.shapes: {%s: [-1, 4]}, with -1 for a variable size",
                    StructureCheck.shown(value.getName()));
            return Optional.empty();
        }
        return Optional.of(inferred(value.getName(), datatype, shape.get()));
    }

    /** Refuses what no request could hold, whatever the sizes of its variable dimensions. */
    private boolean fits(String path, TensorSpec spec) {
        Dim least = Dim.ONE;
        for (long size : spec.shape()) {
            // A variable dimension may be 1.
            least = size < 0 ? least : size == 0 || least.is(0) ? Dim.ZERO : least.times(Dim.of(size));
        }
        long most = Limits.DEFAULT.tensorBytes() / Math.max(1, spec.datatype().bytes());
        if (least.or(0) <= most) {
            return true;
        }
        faults.add(
                path,
                "has the shape %s, which is too large: at most %,d elements of %s (%,d bytes) are allowed",
                spec.shape(),
                most,
                spec.datatype(),
                Limits.DEFAULT.tensorBytes());
        return false;
    }

    private static TensorSpec inferred(String name, DataType datatype, Shape found) {
        var shape = new ArrayList<Long>();
        var symbols = new ArrayList<String>();
        for (Dim dim : found.dims()) {
            shape.add(dim.or(-1));
            symbols.add(dim instanceof Dim.Symbol(var symbol) ? symbol : "");
        }
        return new TensorSpec(name, datatype, shape, symbols);
    }

    private Optional<TensorSpec> shape(String path, String name, DataType datatype, TensorShapeProto proto) {
        if (proto.getDimCount() > MAX_RANK) {
            faults.add(path, "has %d dimensions, at most %d are allowed", proto.getDimCount(), MAX_RANK);
            return Optional.empty();
        }
        var shape = new ArrayList<Long>();
        var symbols = new ArrayList<String>();
        for (TensorShapeProto.Dimension dim : proto.getDimList()) {
            // Some exporters write -1 for a variable size; ONNX Runtime accepts it, too.
            boolean fixed = dim.hasDimValue() && dim.getDimValue() >= 0;
            if (tooLong(dim.getDimParam())) {
                faults.add(
                        path,
                        "has a variable dimension '%s' with a name of %s",
                        StructureCheck.shown(dim.getDimParam()),
                        length(dim.getDimParam()));
                return Optional.empty();
            }
            shape.add(fixed ? dim.getDimValue() : -1L);
            symbols.add(fixed ? "" : dim.getDimParam());
        }
        return Optional.of(new TensorSpec(name, datatype, shape, symbols));
    }

    private static boolean tooLong(String name) {
        return name.length() > ManifestLimits.NAME;
    }

    private static String length(String name) {
        return "%,d characters, at most %,d are allowed; rename it in the model"
                .formatted(name.length(), ManifestLimits.NAME);
    }

    /** Says what the value is and how to export the model without it: the protocol sends tensors only. */
    private static String unservable(TypeProto type) {
        return switch (type.getValueCase()) {
            case SEQUENCE_TYPE ->
                type.getSequenceType().getElemType().hasMapType()
                        ? "a sequence of maps that ZipMap does not make as the last step; export the scores as a tensor, for scikit-learn with options={'zipmap': False}"
                        : "a sequence whose length the graph does not fix, and only tensors can be sent over the Open Inference Protocol; join it inside the model with ConcatFromSequence (torch.stack or torch.cat before the export)";
            case MAP_TYPE ->
                "a map, and only tensors can be sent over the Open Inference Protocol; export its keys and its values as two tensors";
            case OPTIONAL_TYPE ->
                "an optional that is not read by OptionalHasElement and OptionalGetElement alone, or is no tensor of one dimension or more; export the model with this value always there, or always left out";
            case SPARSE_TENSOR_TYPE ->
                "a sparse tensor, and only dense ones can be sent over the Open Inference Protocol; make it dense inside the model";
            case OPAQUE_TYPE -> "an opaque value of a custom operator, which only that operator can read";
            case TENSOR_TYPE, VALUE_NOT_SET -> "of no known type; run onnx.checker.check_model, or export it again";
        };
    }

    /** Batchable if all first dimensions are variable and either all unnamed or all of the same name. */
    private static boolean batchable(List<TensorSpec> inputs, List<TensorSpec> outputs) {
        if (inputs.isEmpty() || outputs.isEmpty()) {
            return false;
        }
        var names = new HashSet<String>();
        for (List<TensorSpec> side : List.of(inputs, outputs)) {
            for (TensorSpec spec : side) {
                if (spec.shape().isEmpty() || spec.shape().getFirst() != -1) {
                    return false;
                }
                names.add(spec.symbols().getFirst());
            }
        }
        return names.size() == 1 && !usedFurtherIn(names.iterator().next(), inputs, outputs);
    }

    /** A batch size that is also the size of another dimension prevents joining batches of different sizes. */
    private static boolean usedFurtherIn(String batch, List<TensorSpec> inputs, List<TensorSpec> outputs) {
        for (List<TensorSpec> side : List.of(inputs, outputs)) {
            for (TensorSpec spec : side) {
                if (!batch.isEmpty() && spec.symbols().lastIndexOf(batch) > 0) {
                    return true;
                }
            }
        }
        return false;
    }
}
