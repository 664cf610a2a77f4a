package io.knabla.functions.packaging;

import ai.onnx.proto.OnnxMl.ModelProto;
import io.knabla.functions.Fault;
import io.knabla.functions.compiler.autodiff.GradientRequest;
import io.knabla.functions.packaging.ModelCheck.Checked;
import io.knabla.functions.packaging.UnitParts.Part;
import io.knabla.functions.packaging.UnitParts.Prepared;
import io.knabla.functions.unit.Blob;
import io.knabla.functions.unit.TensorSpec;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Derives a gradient graph from a model as one ONNX file with its weights, without a unit or a store. */
public final class DerivedGraph {
    private DerivedGraph() {}

    /** Result of the derivation. */
    public sealed interface Derived {
        record Done(ModelProto model, List<TensorSpec> inputs, List<TensorSpec> outputs, List<String> warnings)
                implements Derived {}

        record Refused(List<Fault> faults) implements Derived {}
    }

    /** @param entry name of one of the plan's graphs; "" for the main one */
    public static Derived of(ModelFiles files, GradientRequest plan, String entry) {
        return switch (ModelCheck.check(files)) {
            case Checked.Bad(var faults) -> new Derived.Refused(faults);
            case Checked.Good good -> of(good, files, plan, entry);
        };
    }

    private static Derived of(Checked.Good good, ModelFiles files, GradientRequest plan, String entry) {
        try {
            return switch (GradientUnitBuilder.build(good, plan, Packager.digest(files.model()))) {
                case Prepared.Refused(var faults) -> new Derived.Refused(faults);
                case Prepared.Ready(var parts) -> done(parts, part(parts, entry));
            };
        } catch (IOException unreadable) {
            throw new UncheckedIOException("cannot read " + files.model(), unreadable);
        }
    }

    private static Part part(UnitParts parts, String entry) {
        return Stream.concat(entry.isEmpty() ? Stream.of(parts.main()) : Stream.empty(), parts.beside().stream())
                .filter(part -> entry.isEmpty() || part.name().equals(entry))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no graph is called " + entry));
    }

    private static Derived done(UnitParts parts, Part part) throws IOException {
        Map<String, TensorSource> blobs = new HashMap<>();
        long size = part.model().getSerializedSize();
        for (Map.Entry<Blob, TensorSource> blob : parts.blobs().entrySet()) {
            blobs.put(blob.getKey().digest().hex(), blob.getValue());
            size += blob.getKey().size();
        }
        if (size > WeightMerger.MOST_BYTES) {
            return new Derived.Refused(List.of(new Fault(
                    "model",
                    "has %,d bytes of weights, and one ONNX file holds at most 2 GiB; deploy it with type Gradient instead"
                            .formatted(size))));
        }
        ModelProto whole = WeightMerger.merge(
                part.model(), tensor -> WeightMerger.location(tensor).map(blobs::get));
        return new Derived.Done(
                whole, part.signature().inputs(), part.signature().outputs(), parts.warnings());
    }
}
