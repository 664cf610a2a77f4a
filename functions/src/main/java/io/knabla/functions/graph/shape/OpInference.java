package io.knabla.functions.graph.shape;

import ai.onnx.proto.OnnxMl.TensorProto;
import io.knabla.functions.graph.Dim;
import io.knabla.functions.graph.TensorType;
import io.knabla.functions.graph.Tensors;
import io.knabla.functions.graph.shape.OpContext.Known;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The shape rules, one operation at a time, for those who build graphs rather than read them. */
public final class OpInference {
    private OpInference() {}

    /**
     * What comes out of a node without subgraphs; never fails, and what cannot be known stays unknown. As many entries
     * as the node has outputs.
     *
     * @param stated what a file says of the outputs; may be shorter
     */
    public static List<Known> infer(OpContext op, List<TensorType> stated) {
        List<TensorType> found = ShapeRules.infer(op);
        var known = new ArrayList<Known>();
        for (int i = 0; i < op.node().outputs().size(); i++) {
            TensorType type = Merge.of(at(found, i), at(stated, i));
            known.add(i == 0 ? new Known(type, contents(op, type), Inference.constant(op)) : Known.of(type));
        }
        return known;
    }

    /** What is known of a constant. */
    public static Known constant(TensorProto tensor) {
        TensorType type = Tensors.type(tensor);
        Optional<List<Dim>> contents = type.element().isFloat() ? Optional.empty() : Integers.of(tensor);
        return new Known(type, contents, Optional.of(tensor));
    }

    /** Of integers only: whoever reads them may make an integer constant of them. */
    private static Optional<List<Dim>> contents(OpContext op, TensorType type) {
        return type.element().isFloat() ? Optional.empty() : Integers.of(op);
    }

    /** Two accounts of one value joined; where they contradict, the first holds. */
    public static TensorType merge(TensorType first, TensorType second) {
        return Merge.of(first, second);
    }

    /** What holds for both of two values, of which either may be the one. */
    public static TensorType common(TensorType a, TensorType b) {
        return Merge.common(a, b);
    }

    private static TensorType at(List<TensorType> types, int index) {
        return index < types.size() ? types.get(index) : TensorType.UNKNOWN;
    }
}
