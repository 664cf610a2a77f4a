package io.knabla.runtime.protocol;

import io.knabla.functions.unit.Blob;
import io.knabla.functions.unit.DataType;
import io.knabla.functions.unit.Digest;
import io.knabla.functions.unit.GraphManifest;
import io.knabla.functions.unit.TensorSpec;
import io.knabla.runtime.engine.Tensor;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Signatures for tests. */
final class Specs {
    private Specs() {}

    /** An input or output; a name in {@code dims} is a variable dimension, "?" one without a name. */
    static TensorSpec tensor(String name, DataType type, Object... dims) {
        var shape = new ArrayList<Long>();
        var symbols = new ArrayList<String>();
        for (Object dim : dims) {
            shape.add(dim instanceof Integer size ? (long) size : -1L);
            symbols.add(dim instanceof String symbol && !symbol.equals("?") ? symbol : "");
        }
        return new TensorSpec(name, type, shape, symbols);
    }

    /** The texts of a tensor. */
    static List<String> strings(Tensor tensor) {
        return Arrays.stream(tensor.texts())
                .map(text -> new String(text, StandardCharsets.UTF_8))
                .toList();
    }

    static Signature signature(TensorSpec... inputs) {
        var output = tensor("y", DataType.FP32, "?");
        var blob = new Blob(new Digest("sha256:" + "0".repeat(64)), 1);
        return new Signature(new GraphManifest(
                GraphManifest.SCHEMA,
                blob,
                List.of(),
                List.of(inputs),
                List.of(output, tensor("z", DataType.INT64, 1)),
                false,
                new GraphManifest.ModelVersion(8, 17)));
    }
}
