package io.knabla.functions.packaging;

import ai.onnx.proto.OnnxMl.ModelProto;
import ai.onnx.proto.OnnxMl.StringStringEntryProto;
import ai.onnx.proto.OnnxMl.TensorProto;
import com.google.protobuf.ByteString;
import io.knabla.functions.unit.Blob;
import io.knabla.functions.unit.Digest;
import io.knabla.functions.unit.EntryPoint;
import io.knabla.functions.unit.GraphManifest;
import io.knabla.functions.unit.StoredBlob;
import io.knabla.functions.unit.UnitStore;
import io.knabla.functions.unit.download.Download;
import io.knabla.functions.unit.download.DownloadListener;
import io.knabla.functions.unit.safetensors.SafeTensors;
import io.knabla.functions.unit.safetensors.TensorEntry;
import io.knabla.storage.ByteRange;
import io.knabla.storage.Content;
import io.knabla.storage.ObjectKey;
import io.knabla.storage.ObjectStore;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Exports a unit's model as one ONNX file with its weights, or its weights alone; with the state of a training step,
 * the current weights. Closing deletes its temporary files.
 */
public final class ModelExport implements AutoCloseable {
    /** Metadata key for the number of training steps. */
    static final String STEP = "knabla.step";

    private static final String STEP_STATE = "opt.step";

    private final Path temp;
    private final ObjectStore store;
    private final UnitStore units;
    private final Map<String, TensorSource> trained = new HashMap<>();
    private ModelProto model;

    private ModelExport(ObjectStore store) throws IOException {
        this.store = store;
        units = new UnitStore(store);
        temp = Files.createTempDirectory("knabla-export-");
    }

    /** @param state object with the weights of a training step; untrained tensors keep their values */
    public static ModelExport of(Digest unit, Optional<ObjectKey> state, ObjectStore store) throws IOException {
        var export = new ModelExport(store);
        try {
            export.read(unit, state);
            return export;
        } catch (IOException | RuntimeException failed) {
            export.close();
            throw failed;
        }
    }

    public long size() {
        return model.getSerializedSize();
    }

    public void writeTo(OutputStream out) throws IOException {
        model.writeTo(out);
    }

    /**
     * The floating-point weights as a safetensors file, under the names of the model's initializers; read it before
     * closing.
     */
    public Content weights() throws IOException {
        return WeightsFile.of(model, step());
    }

    private void read(Digest unit, Optional<ObjectKey> state) throws IOException {
        GraphManifest manifest = units.read(unit).graphs();
        Blob graph = manifest.entry(GradientUnitBuilder.SOURCE)
                .map(EntryPoint::graph)
                .orElse(manifest.graph());
        ModelProto stored = ValueNames.original(ModelProto.parseFrom(blob(graph).bytes()));
        if (graph.size() + manifest.weightBytes() > WeightMerger.MOST_BYTES) {
            throw new TooLargeException(
                    "the model has %,d bytes, and one ONNX file holds at most 2 GiB; its parts are the blobs of unit %s in the store"
                            .formatted(graph.size() + manifest.weightBytes(), unit));
        }
        Optional<InputStream> now = state.flatMap(key -> store.open(key, ByteRange.ALL));
        if (now.isPresent()) {
            readState(now.get());
        }
        ModelProto whole = WeightMerger.merge(stored, tensor -> bytes(tensor, manifest));
        Optional<Long> step = step();
        model = step.isEmpty()
                ? whole
                : whole.toBuilder().addMetadataProps(property(step.get())).build();
    }

    private Optional<TensorSource> bytes(TensorProto tensor, GraphManifest manifest) throws IOException {
        TensorSource newer = trained.get(tensor.getName());
        if (newer != null) {
            return Optional.of(newer);
        }
        Optional<String> hex = WeightMerger.location(tensor);
        if (hex.isEmpty()) {
            return Optional.empty();
        }
        for (Blob weight : manifest.weights()) {
            if (weight.digest().hex().equals(hex.get())) {
                return Optional.of(blob(weight));
            }
        }
        throw new IOException("the unit has no weight " + hex.get());
    }

    /** The store's own file if it is local, else a verified copy. */
    private TensorSource blob(Blob blob) throws IOException {
        Optional<Path> local = store.localPath(UnitStore.blobKey(blob.digest()));
        if (local.isPresent()) {
            return new TensorSource.FilePart(local.get(), 0, blob.size());
        }
        Path copy = temp.resolve(blob.digest().hex());
        if (Files.notExists(copy)) {
            var item = new Download.Item(new StoredBlob(store, blob), copy);
            String came = Download.run(List.of(item), store.parallelism(), DownloadListener.NONE)
                    .getFirst()
                    .sha256();
            Download.deleteNotes(copy);
            if (!came.equals(blob.digest().hex())) {
                throw new IOException(
                        "%s is damaged: its bytes have digest sha256:%s; delete it and deploy the function again"
                                .formatted(item.source().name(), came));
            }
        }
        return new TensorSource.FilePart(copy, 0, blob.size());
    }

    /** One stream is a consistent snapshot, because each step writes a new object. */
    private void readState(InputStream now) throws IOException {
        Path copy = temp.resolve("state");
        try (now) {
            Files.copy(now, copy);
        }
        try (InputStream in = Files.newInputStream(copy)) {
            byte[] length = in.readNBytes(Long.BYTES);
            long start = Long.BYTES
                    + ByteBuffer.wrap(length).order(ByteOrder.LITTLE_ENDIAN).getLong();
            try (InputStream again = Files.newInputStream(copy)) {
                for (TensorEntry slot : SafeTensors.readHeader(again).entries()) {
                    trained.put(slot.name(), new TensorSource.FilePart(copy, start + slot.begin(), slot.bytes()));
                }
            }
        }
    }

    private Optional<Long> step() throws IOException {
        TensorSource step = trained.get(STEP_STATE);
        if (step == null || step.size() != Long.BYTES) {
            return Optional.empty();
        }
        ByteString bytes = step.bytes();
        return Optional.of(
                bytes.asReadOnlyByteBuffer().order(ByteOrder.LITTLE_ENDIAN).getLong());
    }

    private static StringStringEntryProto property(long step) {
        return StringStringEntryProto.newBuilder()
                .setKey(STEP)
                .setValue(Long.toString(step))
                .build();
    }

    @Override
    public void close() throws IOException {
        try (var files = Files.list(temp)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                Files.delete(file);
            }
        }
        Files.delete(temp);
    }

    /** Reports a model that is too large for one file. */
    public static final class TooLargeException extends IOException {
        private static final long serialVersionUID = 1;

        TooLargeException(String message) {
            super(message);
        }
    }
}
