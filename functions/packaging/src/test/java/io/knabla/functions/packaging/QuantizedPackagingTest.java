package io.knabla.functions.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import ai.onnx.proto.OnnxMl.ModelProto;
import ai.onnx.proto.OnnxMl.NodeProto;
import io.knabla.functions.MemoryStore;
import io.knabla.functions.Onnx;
import io.knabla.functions.compiler.optimize.quantize.Range;
import io.knabla.functions.packaging.PackagingResult.Packaged;
import io.knabla.functions.packaging.PackagingResult.Refused;
import io.knabla.functions.unit.CalibrationSamples;
import io.knabla.functions.unit.Digest;
import io.knabla.functions.unit.GraphManifest;
import io.knabla.functions.unit.TensorSpec;
import io.knabla.functions.unit.UnitStore;
import io.knabla.functions.unit.safetensors.Header;
import io.knabla.functions.unit.safetensors.SafeTensors;
import io.knabla.storage.ObjectKey;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests units of dynamically and statically quantised models. */
class QuantizedPackagingTest {
    private static final ModelProto MODEL = Onnx.mlp(256, 512, 256);

    @TempDir
    Path folder;

    private final MemoryStore store = new MemoryStore();

    private PackagingResult tryPack(Transform transform) {
        Path file = Onnx.save(MODEL, folder.resolve("model.onnx"));
        return Packager.pack(ModelFiles.beside(file), transform, store);
    }

    private Packaged pack(Transform transform) {
        PackagingResult packaging = tryPack(transform);
        assertThat(packaging).isInstanceOf(Packaged.class);
        return (Packaged) packaging;
    }

    private CalibrationUnitResult calibrationUnit(Path calibration) {
        Path file = Onnx.save(MODEL, folder.resolve("model.onnx"));
        return Packager.calibrationUnit(ModelFiles.beside(file), calibration, store);
    }

    private GraphManifest stored(CalibrationUnitResult calibration) {
        assertThat(calibration).isInstanceOf(CalibrationUnitResult.Stored.class);
        return new UnitStore(store)
                .read(((CalibrationUnitResult.Stored) calibration).unit())
                .graphs();
    }

    private Header samples(GraphManifest calibration) throws IOException {
        Digest samples = CalibrationSamples.of(calibration).digest();
        return SafeTensors.readHeader(
                new ByteArrayInputStream(store.objects.get(new ObjectKey("blobs/" + samples.hex()))));
    }

    /** Ranges that fit every activation of the model, whatever the engine would measure. */
    private static Map<String, Range> wideRanges(GraphManifest calibration) {
        return calibration.outputs().stream().collect(Collectors.toMap(TensorSpec::name, _ -> new Range(-8, 8)));
    }

    private List<String> operators(Packaged packaged) throws IOException {
        GraphManifest manifest = packaged.graphs();
        var graph = ModelProto.parseFrom(store.objects.get(
                new ObjectKey("blobs/" + manifest.graph().digest().hex())));
        return graph.getGraph().getNodeList().stream().map(NodeProto::getOpType).toList();
    }

    private Path requests(String json) throws IOException {
        return Files.writeString(folder.resolve("requests.json"), json);
    }

    private static String request(int rows) {
        return request(rows, 0.5);
    }

    private static String request(int rows, double element) {
        return "{\"inputs\": [{\"name\": \"x\", \"shape\": [%d, 256], \"data\": %s}]}"
                .formatted(rows, Collections.nCopies(rows * 256, element));
    }

    @Test
    void dynamicQuantisationShrinksTheWeights() throws IOException {
        Packaged plain = pack(new Transform.None());
        Packaged small = pack(new Transform.QuantizeDynamic());

        assertThat(small.graphs().weightBytes()).isLessThan(plain.graphs().weightBytes() / 3);
        assertThat(small.graphs().inputs()).isEqualTo(plain.graphs().inputs());
        assertThat(small.graphs().outputs().stream().map(TensorSpec::name)).containsExactly("y");
        assertThat(operators(small)).contains("MatMulInteger");
        assertThat(small.warnings()).anyMatch(w -> w.startsWith("quantised 2 weights"));
        assertThat(small.model()).isEqualTo(plain.model());
    }

    @Test
    void calibrationUnitHoldsRangesAsOutputsAndTheSamples() throws IOException {
        GraphManifest calibration = stored(calibrationUnit(requests("[" + request(1) + "," + request(3) + "]")));

        assertThat(calibration.inputs())
                .isEqualTo(pack(new Transform.None()).graphs().inputs());
        assertThat(calibration.outputs())
                .hasSize(2)
                .allSatisfy(output -> assertThat(output.shape()).containsExactly(2L));
        Header samples = samples(calibration);
        assertThat(samples.metadata()).containsEntry(CalibrationSamples.REQUESTS, "2");
        assertThat(samples.entry(CalibrationSamples.name(1, "x")).orElseThrow().shape())
                .containsExactly(3L, 256L);
    }

    @Test
    void staticUsesMeasuredRanges() throws IOException {
        GraphManifest calibration = stored(calibrationUnit(requests(request(1))));
        Packaged small = pack(new Transform.QuantizeStatic(wideRanges(calibration)));

        assertThat(operators(small)).anyMatch(op -> op.startsWith("Quantize"));
        assertThat(small.warnings()).anyMatch(w -> w.startsWith("quantised 2 weights"));
    }

    @Test
    void halfPrecisionTellsItsError() throws IOException {
        Packaged plain = pack(new Transform.None());
        Packaged half = pack(new Transform.Half(Optional.of(requests("[" + request(1) + "," + request(3) + "]"))));

        assertThat(half.graphs().inputs()).isEqualTo(plain.graphs().inputs());
        assertThat(half.graphs().outputs()).isEqualTo(plain.graphs().outputs());
        assertThat(half.graphs().weightBytes()).isLessThan(plain.graphs().weightBytes() * 6 / 10);
        assertThat(half.warnings())
                .anySatisfy(warning -> assertThat(warning)
                        .startsWith("half precision: ")
                        .containsPattern("the largest error of an element is [0-9.e-]+")
                        .containsPattern("of its norm \\('y' of sample request [01]\\)"));
    }

    @Test
    void halfPrecisionSaysThatNothingWasMeasured() throws IOException {
        assertThat(pack(new Transform.Half(Optional.empty())).warnings())
                .anyMatch(warning -> warning.contains("the error was not measured: there are no sample requests"));
    }

    @Test
    void halfPrecisionRefusesWhatOverflows() throws IOException {
        Path large = requests(request(1, 1e6));

        Refused refused = (Refused) tryPack(new Transform.Half(Optional.of(large)));

        assertThat(refused.faults()).singleElement().satisfies(fault -> {
            assertThat(fault.path()).isEqualTo("spec.quantize");
            assertThat(fault.message()).contains("output 'y' of sample request 0 is no finite number");
        });
    }

    @Test
    void rangesOfAnotherModelAreRefused() {
        Refused refused = (Refused) tryPack(new Transform.QuantizeStatic(Map.of("v9:other", new Range(-1, 1))));

        assertThat(refused.faults()).singleElement().satisfies(fault -> {
            assertThat(fault.path()).isEqualTo("spec.quantize");
            assertThat(fault.message()).contains("no range for", "calibrate this very model");
        });
    }

    @Test
    void nothingIsMeasuredWithoutQuantisableWeights() throws IOException {
        Path file = Onnx.save(Onnx.mlp(256, 2, 2), folder.resolve("tiny.onnx"));

        assertThat(Packager.calibrationUnit(ModelFiles.beside(file), requests(request(1)), store))
                .isEqualTo(new CalibrationUnitResult.NothingToMeasure());
        assertThat(store.objects).isEmpty();
    }

    /** As numpy.savez writes it. */
    @Test
    void calibratesWithArraysToo() throws IOException {
        Path npz = folder.resolve("x.npz");
        try (var zip = new ZipOutputStream(Files.newOutputStream(npz))) {
            zip.putNextEntry(new ZipEntry("x.npy"));
            String header = "{'descr': '<f4', 'fortran_order': False, 'shape': (4, 256), }";
            header += " ".repeat(117 - header.length()) + "\n";
            zip.write(new byte[] {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0, 118, 0});
            zip.write(header.getBytes(StandardCharsets.ISO_8859_1));
            zip.write(new byte[4 * 256 * Float.BYTES]);
        }

        Header samples = samples(stored(calibrationUnit(npz)));
        assertThat(samples.entries()).singleElement().satisfies(x -> {
            assertThat(x.name()).isEqualTo(CalibrationSamples.name(0, "x"));
            assertThat(x.shape()).containsExactly(4L, 256L);
        });
    }

    @Test
    void theSameTransformGivesTheSameUnit() throws IOException {
        CalibrationUnitResult calibration = calibrationUnit(requests(request(2)));
        assertThat(calibrationUnit(requests(request(2)))).isEqualTo(calibration);

        var wish = new Transform.QuantizeStatic(wideRanges(stored(calibration)));
        assertThat(pack(wish).unit()).isEqualTo(pack(wish).unit());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            nonsense                                               | is no JSON
            []                                                     | holds no request
            {"inputs": [{"name": "z", "shape": [1], "data": [1]}]} | request 0 has no input 'x'
            {"inputs": [{"name": "x", "shape": [1, 256], "data": [1]}]} | has 1 numbers
            """)
    void requestsThatDoNotFitAreRefused(String json, String sentence) throws IOException {
        var refused = (CalibrationUnitResult.Refused) calibrationUnit(requests(json));

        assertThat(refused.faults())
                .anySatisfy(f -> assertThat(f.path()).isEqualTo("spec.quantize.calibration"))
                .anySatisfy(f -> assertThat(f.message()).contains(sentence));
        assertThat(store.objects).isEmpty();
    }
}
