package io.knabla.functions.packaging;

import ai.onnx.proto.OnnxMl.TensorProto;
import com.google.protobuf.ByteString;
import io.knabla.functions.compiler.onnx.TensorProtos;
import io.knabla.functions.packaging.WeightSplitter.Split;
import io.knabla.functions.unit.Blob;
import io.knabla.functions.unit.Digest;
import io.knabla.functions.unit.TensorSpec;
import io.knabla.functions.unit.TrainingSpec.StateTensor;
import io.knabla.functions.unit.safetensors.SafeTensors;
import io.knabla.functions.unit.safetensors.SafeTensors.Values;
import io.knabla.storage.Content;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Writes the initial state of a training step, the model's weights, as one safetensors file. */
final class InitialState {
    private InitialState() {}

    /** @param source the model; initializers are matched by name, and a state tensor without one starts at zero */
    static Content of(List<StateTensor> state, Split source) {
        Map<String, TensorProto> initializers = new HashMap<>();
        source.model().getGraph().getInitializerList().forEach(t -> initializers.put(t.getName(), t));
        List<Values> values = new ArrayList<>();
        for (StateTensor tensor : state) {
            TensorProto initial = initializers.get(tensor.input());
            if (initial != null) {
                values.add(values(tensor.tensor(), bytes(initial, source.blobs())));
            }
        }
        return SafeTensors.content(values, Map.of("format", "knabla"));
    }

    private static Values values(TensorSpec spec, ByteString bytes) {
        return new Values(spec, bytes.asReadOnlyByteBuffer());
    }

    private static ByteString bytes(TensorProto tensor, Map<Blob, TensorSource> blobs) {
        try {
            if (!TensorProtos.isExternal(tensor)) {
                return tensor.hasRawData()
                        ? tensor.getRawData()
                        : TensorSource.Typed.of(tensor).bytes();
            }
            Digest digest = Digest.ofHex(
                    TensorProtos.external(tensor, WeightSplitter.LOCATION).orElseThrow());
            for (Map.Entry<Blob, TensorSource> blob : blobs.entrySet()) {
                if (blob.getKey().digest().equals(digest)) {
                    return blob.getValue().bytes();
                }
            }
            throw new IllegalStateException("no blob of " + tensor.getName());
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
