package io.knabla.functions.packaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ai.onnx.proto.OnnxMl.ModelProto;
import io.knabla.functions.MemoryStore;
import io.knabla.functions.Onnx;
import io.knabla.functions.compiler.onnx.TensorProtos;
import io.knabla.functions.packaging.PackagingResult.Packaged;
import io.knabla.functions.unit.Blob;
import io.knabla.functions.unit.DataType;
import io.knabla.functions.unit.TensorSpec;
import io.knabla.functions.unit.UnitStore;
import io.knabla.functions.unit.safetensors.SafeTensors;
import io.knabla.functions.unit.safetensors.SafeTensors.Values;
import io.knabla.storage.Content;
import io.knabla.storage.ObjectKey;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
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
