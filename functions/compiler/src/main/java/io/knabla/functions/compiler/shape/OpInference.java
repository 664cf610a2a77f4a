package io.knabla.functions.compiler.shape;

import ai.onnx.proto.OnnxMl.TensorProto;
import io.knabla.functions.compiler.onnx.Dim;
import io.knabla.functions.compiler.onnx.TensorProtos;
import io.knabla.functions.compiler.onnx.TensorType;
import io.knabla.functions.compiler.shape.OpContext.ValueInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Infers types for one operation at a time, for code that builds graphs. */
public final class OpInference {
    private OpInference() {}

    /**
     * Infers the outputs of a node without subgraphs, one entry per output. Never fails: what cannot be inferred stays
     * unknown.
     *
     * @param stated output types that a file declares; may be shorter
     */
    public static List<ValueInfo> infer(OpContext op, List<TensorType> stated) {
        List<TensorType> found = ShapeRules.infer(op);
        var known = new ArrayList<ValueInfo>();
        for (int i = 0; i < op.node().outputs().size(); i++) {
            TensorType type = Merge.of(at(found, i), at(stated, i));
            known.add(
                    i == 0 ? new ValueInfo(type, contents(op, type), ShapeInference.constant(op)) : ValueInfo.of(type));
        }
        return known;
    }

    /** Inferred information about a constant. */
    public static ValueInfo constant(TensorProto tensor) {
        TensorType type = TensorProtos.type(tensor);
        Optional<List<Dim>> contents = type.element().isFloat() ? Optional.empty() : DataPropagation.contents(tensor);
        return new ValueInfo(type, contents, Optional.of(tensor));
    }

    /** Integer tensors only, because a caller may create an integer constant from the contents. */
    private static Optional<List<Dim>> contents(OpContext op, TensorType type) {
        return type.element().isFloat() ? Optional.empty() : DataPropagation.contents(op);
    }

    /** Merges two types of one value; on conflict the first wins. */
    public static TensorType merge(TensorType first, TensorType second) {
        return Merge.of(first, second);
    }

    /** Most precise type that covers both alternatives. */
    public static TensorType common(TensorType a, TensorType b) {
        return Merge.common(a, b);
    }

    private static TensorType at(List<TensorType> types, int index) {
        return index < types.size() ? types.get(index) : TensorType.UNKNOWN;
    }
}
