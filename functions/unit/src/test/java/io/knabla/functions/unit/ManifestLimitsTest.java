package io.knabla.functions.unit;

import static io.knabla.functions.unit.Manifests.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the limits of the manifest reader and the input that it refuses. */
class ManifestLimitsTest {
    private static final TensorSpec SCALAR = new TensorSpec("t", DataType.BOOL, List.of(), List.of());
    private static final String JSON = json(manifest(List.of(SCALAR), false));

    private static GraphManifest manifest(List<TensorSpec> inputs, boolean batchable) {
        return new GraphManifest(
                GraphManifest.SCHEMA,
                Manifests.blob(bytes("graph")),
                List.of(Manifests.blob(bytes("w")), Manifests.blob(bytes("weight"))),
                inputs,
                List.of(SCALAR),
                batchable,
                new GraphManifest.ModelVersion(7, 13));
    }

    private static String json(GraphManifest manifest) {
        return new String(ManifestJson.write(manifest), StandardCharsets.UTF_8);
    }

    private static GraphManifest read(String json) {
        return ManifestJson.read(bytes(json)).graphs();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void readsWhetherItIsBatchable(boolean batchable) {
        GraphManifest manifest = manifest(List.of(SCALAR), batchable);
        assertThat(read(json(manifest))).isEqualTo(manifest);
    }

    @Test
    void addsUpItsWeights() {
        assertThat(manifest(List.of(), true).weightBytes()).isEqualTo(1 + 6);
    }

    @ParameterizedTest
    @EnumSource
    void readsTensorsOfEveryType(DataType type) {
        GraphManifest manifest = manifest(List.of(new TensorSpec("t", type, List.of(0L), List.of(""))), true);
        assertThat(read(json(manifest)).inputs().getFirst().datatype()).isEqualTo(type);
    }

    @ParameterizedTest
    @CsvSource({"64, true", "65, false"})
    void dimensionsAndSymbolsAreBounded(int count, boolean allowed) {
        GraphManifest manifest = manifest(
                List.of(new TensorSpec(
                        "t", DataType.FP32, Collections.nCopies(count, -1L), Collections.nCopies(count, "n"))),
                true);
        if (allowed) {
            assertThat(read(json(manifest))).isEqualTo(manifest);
        } else {
            assertThatThrownBy(() -> read(json(manifest)))
                    .hasMessageContaining("the shape of tensor 't' is impossible");
        }
    }

    @Test
    void symbolsAreBoundedWhateverTheShape() {
        String json = JSON.replace("\"symbols\":[]", "\"symbols\":[" + "\"n\",".repeat(64) + "\"n\"]");
        assertThatThrownBy(() -> read(json)).hasMessageContaining("tensor 't' has too many symbols");
    }

    @ParameterizedTest
    @CsvSource({"10000, true", "10001, false"})
    void tensorsAreBounded(int count, boolean allowed) {
        GraphManifest manifest = manifest(Collections.nCopies(count, SCALAR), true);
        if (allowed) {
            assertThat(read(json(manifest)).inputs()).hasSize(count);
        } else {
            assertThatThrownBy(() -> read(json(manifest))).hasMessageContaining("more than 10000 inputs");
        }
    }

    @Test
    void bytesAreBounded() {
        byte[] most = Arrays.copyOf(bytes(JSON), ManifestLimits.BYTES);
        Arrays.fill(most, JSON.length(), most.length, (byte) ' ');
        assertThat(ManifestJson.read(most).graphs().batchable()).isFalse();

        byte[] more = Arrays.copyOf(most, most.length + 1);
        more[most.length] = ' ';
        assertThatThrownBy(() -> ManifestJson.read(more)).hasMessageContaining("at most");
    }

    @ParameterizedTest(name = "{0} -> {1}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    "inputs":[{      | "inputs":[5,{       | expected START_OBJECT, found VALUE_NUMBER_INT
                    "inputs":[{      | "inputs":[[{        | expected START_OBJECT, found START_ARRAY
                    "weights":[{     | "weights":[5,{      | expected START_OBJECT, found VALUE_NUMBER_INT
                    "graph":{        | "graph":[{          | expected START_OBJECT, found START_ARRAY
                    "shape":[]       | "shape":[1.5]       | expected VALUE_NUMBER_INT, found VALUE_NUMBER_FLOAT
                    "shape":[]       | "shape":["1"]       | expected VALUE_NUMBER_INT, found VALUE_STRING
                    "shape":[]       | "shape":5           | expected START_ARRAY, found VALUE_NUMBER_INT
                    "symbols":[]     | "symbols":[5]       | expected VALUE_STRING, found VALUE_NUMBER_INT
                    "symbols":[]     | "symbols":[null]    | expected VALUE_STRING, found VALUE_NULL
                    "symbols":[]     | "symbols":"n"       | expected START_ARRAY, found VALUE_STRING
                    "batchable":false| "batchable":null    | expected true or false, found VALUE_NULL
                    "opset":13}}     | "opset":13}         | not a unit manifest
                    "opset":13}}     | "opset":13          | not a unit manifest
                    "opset":13}}     | "opset":13}]        | not a unit manifest
                    "opset":13}}     | "opset":13}} []     | expected the end, found START_ARRAY
                    """)
    void refuses(String part, String instead, String why) {
        assertThat(JSON).contains(part);
        assertThatThrownBy(() -> read(JSON.replace(part, instead)))
                .isInstanceOf(UnitException.class)
                .hasMessageContaining(why);
    }

    @Test
    void saysWhereItStopped() {
        assertThatThrownBy(() -> read("{\"skema\":1}"))
                .hasMessageContaining("at byte 1: expected the field 'schema', found FIELD_NAME");
        assertThatThrownBy(() -> read("")).hasMessageContaining("found the end");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", ":", "`", "g", "A", "F", " "})
    void digestsHaveLowerCaseHexDigitsOnly(String wrong) {
        assertThatThrownBy(() -> Digest.ofHex("0".repeat(63) + wrong))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("sha256:" + "0".repeat(63) + wrong);
        assertThatThrownBy(() -> Digest.ofHex(wrong + "0".repeat(63))).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void digestsHaveOneLengthAndOnePrefix() {
        String all = "0123456789abcdef".repeat(4);
        assertThat(Digest.ofHex(all).hex()).isEqualTo(all);
        assertThat(Digest.ofHex(all)).hasToString("sha256:" + all);
        for (String wrong : List.of(all, "sha256:" + all + "0", "sha256:" + all.substring(1), "sha257:" + all)) {
            assertThatThrownBy(() -> new Digest(wrong)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    /** Sizes and numbers from the ONNX and Open Inference Protocol documents. */
    @ParameterizedTest
    @CsvSource({
        "FP32, 1, 4", "UINT8, 2, 1", "INT8, 3, 1", "UINT16, 4, 2", "INT16, 5, 2",
        "INT32, 6, 4", "INT64, 7, 8", "BYTES, 8, 0", "BOOL, 9, 1", "FP16, 10, 2",
        "FP64, 11, 8", "UINT32, 12, 4", "UINT64, 13, 8", "BF16, 16, 2"
    })
    void typesHaveOnnxNumbers(DataType type, int onnx, int bytes) {
        assertThat(type.onnx()).isEqualTo(onnx);
        assertThat(type.bytes()).isEqualTo(bytes);
        assertThat(DataType.ofOnnx(onnx)).contains(type);
    }

    @Test
    void otherOnnxNumbersHaveNoType() {
        assertThat(DataType.ofOnnx(0)).isEmpty();
        assertThat(DataType.ofOnnx(14)).isEmpty();
    }
}
