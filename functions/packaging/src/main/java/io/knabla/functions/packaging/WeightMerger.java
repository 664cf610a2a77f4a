package io.knabla.functions.packaging;

import ai.onnx.proto.OnnxMl.GraphProto;
import ai.onnx.proto.OnnxMl.ModelProto;
import ai.onnx.proto.OnnxMl.TensorProto;
import io.knabla.functions.compiler.onnx.TensorProtos;
import java.io.IOException;
import java.util.Optional;

/** Merges the weights of a split model back into one ONNX model. */
final class WeightMerger {
    /** The limit of protobuf is 2 GiB; reserves some space for everything except the weights. */
    static final long MOST_BYTES = Integer.MAX_VALUE - (16L << 20);

    private WeightMerger() {}

    /** Finds the source of a tensor's bytes; returns empty for a tensor that stays unchanged. */
    @FunctionalInterface
    interface TensorLookup {
        Optional<TensorSource> of(TensorProto tensor) throws IOException;
    }

    static ModelProto merge(ModelProto split, TensorLookup bytes) throws IOException {
        ModelProto.Builder whole = split.toBuilder();
        GraphProto.Builder graph = whole.getGraphBuilder();
        for (int i = 0; i < graph.getInitializerCount(); i++) {
            TensorProto tensor = graph.getInitializer(i);
            Optional<TensorSource> source = bytes.of(tensor);
            if (source.isPresent()) {
                graph.setInitializer(
                        i,
                        WeightSplitter.bare(tensor)
                                .setRawData(source.get().bytes())
                                .build());
            }
        }
        return whole.build();
    }

    /** The hex digest of the blob with a split tensor's bytes. */
    static Optional<String> location(TensorProto tensor) {
        return TensorProtos.isExternal(tensor)
                ? TensorProtos.external(tensor, WeightSplitter.LOCATION)
                : Optional.empty();
    }
}
