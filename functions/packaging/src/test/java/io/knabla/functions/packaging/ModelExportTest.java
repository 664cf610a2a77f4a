package io.knabla.functions.packaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ai.onnx.proto.OnnxMl.ModelProto;
import ai.onnx.proto.OnnxMl.TensorProto;
import io.knabla.functions.MemoryStore;
import io.knabla.functions.Onnx;
import io.knabla.functions.compiler.onnx.TensorProtos;
import io.knabla.functions.packaging.PackagingResult.Packaged;
import io.knabla.functions.unit.Blob;
import io.knabla.functions.unit.DataType;
import io.knabla.functions.unit.TensorSpec;
import io.knabla.functions.unit.UnitStore;
import io.knabla.functions.unit.safetensors.Header;
import io.knabla.functions.unit.safetensors.SafeTensors;
import io.knabla.functions.unit.safetensors.SafeTensors.Values;
import io.knabla.functions.unit.safetensors.TensorEntry;
import io.knabla.storage.Content;
import io.knabla.storage.ObjectKey;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the export of units as ONNX files, with and without trained weights. */
class ModelExportTest {
    private static final ObjectKey STATE = ObjectKey.of("states", "a");

    @TempDir
    Path folder;

    private final MemoryStore store = new MemoryStore();

    private Packaged pack(ModelProto model) {
        Path file = Onnx.save(model, folder.resolve("model.onnx"));
        return (Packaged) Packager.pack(ModelFiles.beside(file), store);
    }

    private ModelProto export(Packaged packaged, Optional<ObjectKey> state) throws IOException {
        try (ModelExport export = ModelExport.of(packaged.unit(), state, store)) {
            var bytes = new ByteArrayOutputStream();
            export.writeTo(bytes);
            assertThat(bytes.size()).isEqualTo((int) export.size());
            return ModelProto.parseFrom(bytes.toByteArray());
        }
    }

    @Test
    void exportsTheModelOfAnInferenceUnit() throws IOException {
        ModelProto model = Onnx.mlp(256, 512, 256);

        assertThat(export(pack(model), Optional.empty())).isEqualTo(model);
    }

    @Test
    void refusesToExportDamagedBytes() throws IOException {
        Packaged packaged = pack(Onnx.mlp(256, 512, 256));
        Blob weight = packaged.graphs().weights().getFirst();
        store.write(UnitStore.blobKey(weight.digest()), Content.of(new byte[(int) weight.size()]));

        assertThatThrownBy(() -> export(packaged, Optional.empty()))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("is damaged")
                .hasMessageContaining(weight.digest().hex());
    }

    @Test
    void aMissingStateChangesNothing() throws IOException {
        ModelProto model = Onnx.mlp(4, 8, 4);

        assertThat(export(pack(model), Optional.of(STATE))).isEqualTo(model);
    }

    @Test
    void exportsTrainedWeights() throws IOException {
        ModelProto model = Onnx.mlp(256, 512, 2);
        Packaged packaged = pack(model);
        ByteBuffer weights = floats(256 * 512, 0.5f);
        ByteBuffer bias = floats(2, -1);
        ByteBuffer step = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(0, 7);
        store.createOnce(
                STATE,
                SafeTensors.content(
                        List.of(
                                values("w1", DataType.FP32, weights, 256L, 512L),
                                values("b2", DataType.FP32, bias, 2L),
                                values("opt.step", DataType.INT64, step)),
                        Map.of()));

        ModelProto exported = export(packaged, Optional.of(STATE));

        var initializers = exported.getGraph().getInitializerList();
        assertThat(initializers).noneMatch(TensorProtos::isExternal);
        assertThat(initializers.get(0).getRawData().asReadOnlyByteBuffer()).isEqualTo(weights);
        assertThat(initializers.get(1)).isEqualTo(model.getGraph().getInitializer(1));
        assertThat(initializers.get(2)).isEqualTo(model.getGraph().getInitializer(2));
        assertThat(initializers.get(3).getRawData().asReadOnlyByteBuffer()).isEqualTo(bias);
        assertThat(exported.getMetadataPropsList())
                .anyMatch(p -> p.getKey().equals("knabla.step") && p.getValue().equals("7"));
    }

    @Test
    void exportsWeightsAloneUnderTheirNames() throws IOException {
        Packaged packaged = pack(Onnx.mlp(256, 512, 2));
        ByteBuffer trained = floats(2, -1);
        ByteBuffer step = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(0, 7);
        store.createOnce(
                STATE,
                SafeTensors.content(
                        List.of(values("b2", DataType.FP32, trained, 2L), values("opt.step", DataType.INT64, step)),
                        Map.of()));

        Map<String, ByteBuffer> weights = new LinkedHashMap<>();
        Header header = weights(packaged, Optional.of(STATE), weights);

        assertThat(header.metadata()).isEqualTo(Map.of("format", "pt", "knabla.step", "7"));
        assertThat(header.entries().stream().map(TensorEntry::name)).containsExactly("w1", "b1", "w2", "b2");
        assertThat(header.entries().getFirst().shape()).containsExactly(256L, 512L);
        assertThat(weights.get("b2").flip()).isEqualTo(trained);
        assertThat(weights.get("b1").flip())
                .isEqualTo(Onnx.mlp(256, 512, 2)
                        .getGraph()
                        .getInitializer(1)
                        .getRawData()
                        .asReadOnlyByteBuffer());
    }

    @Test
    void wholeNumbersAreNoWeights() throws IOException {
        ModelProto.Builder model = Onnx.mlp(4, 8, 4).toBuilder();
        model.getGraphBuilder()
                .addInitializer(TensorProto.newBuilder()
                        .setName("axes")
                        .setDataType(TensorProto.DataType.INT64_VALUE)
                        .addDims(1)
                        .addInt64Data(1));

        Header header = weights(pack(model.build()), Optional.empty(), new LinkedHashMap<>());

        assertThat(header.entries().stream().map(TensorEntry::name)).containsExactly("w1", "b1", "w2", "b2");
        assertThat(header.metadata()).isEqualTo(Map.of("format", "pt"));
    }

    private Header weights(Packaged packaged, Optional<ObjectKey> state, Map<String, ByteBuffer> into)
            throws IOException {
        try (ModelExport export = ModelExport.of(packaged.unit(), state, store);
                InputStream in = export.weights().open()) {
            Header header = SafeTensors.readHeader(in);
            SafeTensors.readData(
                    in,
                    header,
                    slot -> into.computeIfAbsent(slot.name(), _ -> ByteBuffer.allocate((int) slot.bytes())));
            return header;
        }
    }

    private static Values values(String name, DataType type, ByteBuffer bytes, Long... shape) {
        return new Values(
                new TensorSpec(
                        name,
                        type,
                        List.of(shape),
                        List.of(shape).stream().map(_ -> "").toList()),
                bytes);
    }

    private static ByteBuffer floats(int count, float value) {
        ByteBuffer bytes = ByteBuffer.allocate(count * 4).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < count; i++) {
            bytes.putFloat(value);
        }
        return bytes.flip();
    }
}
