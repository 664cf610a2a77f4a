package io.knabla.functions.compiler.importer;

import ai.onnx.proto.OnnxMl.AttributeProto;
import ai.onnx.proto.OnnxMl.SparseTensorProto;
import ai.onnx.proto.OnnxMl.TensorProto;
import io.knabla.functions.compiler.interpreter.NdArray;
import io.knabla.functions.compiler.ir.Attributes;
import io.knabla.functions.compiler.ir.Constants;
import io.knabla.functions.compiler.ir.Lowering.Call;
import io.knabla.functions.compiler.ir.UnsupportedOperatorException;
import io.knabla.functions.compiler.onnx.ElementType;
import io.knabla.functions.compiler.onnx.TensorProtos;
import java.util.List;

/** Reads the tensor of a Constant node from whichever value attribute it has. */
final class ConstantValue {
    private static final long MAX_DENSE = 1 << 24;

    private ConstantValue() {}

    static TensorProto tensor(Call call) {
        Attributes given = call.attributes();
        for (AttributeProto attribute : given.values().values()) {
            switch (attribute.getName()) {
                case "value" -> {
                    return attribute.getT();
                }
                case "value_float" -> {
                    return Constants.scalar(ElementType.FLOAT, attribute.getF());
                }
                case "value_int" -> {
                    return Constants.scalar(ElementType.INT64, attribute.getI());
                }
                case "value_ints" -> {
                    return Constants.integers(attribute.getIntsList());
                }
                case "value_floats" -> {
                    List<Float> floats = attribute.getFloatsList();
                    return Constants.tensor(
                            ElementType.FLOAT,
                            List.of((long) floats.size()),
                            floats.stream().mapToDouble(Float::doubleValue).toArray());
                }
                case "value_string", "value_strings" -> {
                    return strings(attribute);
                }
                case "sparse_value" -> {
                    return dense(attribute.getSparseTensor());
                }
                default -> {
                    // Not a value attribute.
                }
            }
        }
        throw new UnsupportedOperatorException("holds neither a tensor nor numbers");
    }

    private static TensorProto strings(AttributeProto attribute) {
        TensorProto.Builder tensor = TensorProto.newBuilder().setDataType(ElementType.STRING.number());
        if (attribute.getName().equals("value_string")) {
            return tensor.addStringData(attribute.getS()).build();
        }
        return tensor.addDims(attribute.getStringsCount())
                .addAllStringData(attribute.getStringsList())
                .build();
    }

    /** Indices are positions in the flat tensor, or one row of coordinates per value. */
    private static TensorProto dense(SparseTensorProto sparse) {
        TensorProto shape =
                TensorProto.newBuilder().addAllDims(sparse.getDimsList()).build();
        long count = TensorProtos.elements(shape).orElse(Long.MAX_VALUE);
        if (count > MAX_DENSE) {
            throw new UnsupportedOperatorException("holds a sparse tensor of %d elements".formatted(count));
        }
        NdArray values = NdArray.of(sparse.getValues());
        NdArray indices = NdArray.of(sparse.getIndices());
        double[] dense = new double[(int) count];
        int axes = indices.rank() == 2 ? indices.dim(1) : 1;
        for (int i = 0; i < values.size(); i++) {
            long at = 0;
            for (int d = 0; d < axes; d++) {
                long index = indices.whole(i * axes + d);
                at = indices.rank() == 2 ? at * sparse.getDims(d) + index : index;
            }
            dense[(int) at] = values.real(i);
        }
        return Constants.tensor(values.element(), sparse.getDimsList(), dense);
    }
}
