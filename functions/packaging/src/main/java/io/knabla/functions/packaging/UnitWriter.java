package io.knabla.functions.packaging;

import io.knabla.functions.Fault;
import io.knabla.functions.compiler.onnx.Model;
import io.knabla.functions.packaging.SignatureReader.Signature;
import io.knabla.functions.packaging.UnitParts.Part;
import io.knabla.functions.unit.Blob;
import io.knabla.functions.unit.Digest;
import io.knabla.functions.unit.EntryPoint;
import io.knabla.functions.unit.GraphManifest;
import io.knabla.functions.unit.ManifestJson;
import io.knabla.functions.unit.Sha256;
import io.knabla.functions.unit.TrainingSpec;
import io.knabla.functions.unit.UnitException;
import io.knabla.functions.unit.UnitStore;
import io.knabla.storage.Content;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Stores a unit: blobs, then graphs, then the manifest. A crash leaves unreferenced blobs, never a manifest without its
 * blobs.
 */
final class UnitWriter {
    private static final Blob LONGEST = new Blob(Digest.ofHex("0".repeat(64)), Long.MAX_VALUE);

    private final UnitStore units;

    UnitWriter(UnitStore units) {
        this.units = units;
    }

    /** A stored unit. */
    record Written(Digest digest, GraphManifest manifest) {}

    Written write(UnitParts parts) throws IOException {
        for (Map.Entry<Blob, TensorSource> blob : parts.blobs().entrySet()) {
            units.writeBlob(blob.getKey(), blob.getValue());
        }
        GraphManifest manifest = manifest(parts, this::graph, this::stored);
        return new Written(units.write(manifest), manifest);
    }

    /** Returns what would make the manifest of these parts unreadable: more tensors or bytes than its reader takes. */
    static Optional<Fault> unreadable(UnitParts parts) throws IOException {
        try {
            ManifestJson.read(ManifestJson.write(manifest(parts, _ -> LONGEST, _ -> LONGEST)));
            return Optional.empty();
        } catch (UnitException refused) {
            return Optional.of(new Fault(
                    "graph",
                    "has names, inputs, outputs or weights that no unit can hold (%s); shorten the names, or split the model"
                            .formatted(refused.getMessage())));
        }
    }

    /** Stands for a stored object whose digest is not known yet. */
    private interface Stored<T> {
        Blob blob(T what) throws IOException;
    }

    private static GraphManifest manifest(UnitParts parts, Stored<Part> graphs, Stored<Content> states)
            throws IOException {
        List<EntryPoint> entries = new ArrayList<>();
        for (Part part : parts.beside()) {
            entries.add(new EntryPoint(
                    part.name(),
                    graphs.blob(part),
                    part.signature().inputs(),
                    part.signature().outputs(),
                    part.optimization()));
        }
        Optional<TrainingSpec> training = Optional.empty();
        for (UnitParts.State state : parts.state()) {
            training = Optional.of(state.toTraining(states.blob(state.initial())));
        }
        return manifest(parts, graphs.blob(parts.main()))
                .with(parts.main().optimization(), entries, training, parts.labels())
                .with(parts.classes())
                .withDefaults(parts.defaults());
    }

    private static GraphManifest manifest(UnitParts parts, Blob graph) {
        Model model = parts.mainModel();
        Signature signature = parts.callerSignature();
        return new GraphManifest(
                GraphManifest.SCHEMA,
                graph,
                List.copyOf(parts.blobs().keySet()),
                signature.inputs(),
                signature.outputs(),
                signature.batchable(),
                new GraphManifest.ModelVersion(model.irVersion(), model.opset()));
    }

    private Blob graph(Part part) throws IOException {
        try (GraphFile graph = GraphFile.write(ValueNames.forEngine(part.model()))) {
            units.writeBlob(graph.blob(), graph.content());
            return graph.blob();
        }
    }

    private Blob stored(Content content) throws IOException {
        Blob blob;
        try (InputStream in = content.open()) {
            blob = new Blob(Sha256.of(in), content.size());
        }
        units.writeBlob(blob, content);
        return blob;
    }
}
