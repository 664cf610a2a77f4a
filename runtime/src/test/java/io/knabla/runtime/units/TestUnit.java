package io.knabla.runtime.units;

import ai.onnx.proto.OnnxMl.ModelProto;
import ai.onnx.proto.OnnxMl.TensorShapeProto;
import ai.onnx.proto.OnnxMl.ValueInfoProto;
import io.knabla.functions.packaging.CalibrationUnitResult;
import io.knabla.functions.packaging.ModelFiles;
import io.knabla.functions.packaging.Packager;
import io.knabla.functions.packaging.PackagingResult;
import io.knabla.functions.packaging.Transform;
import io.knabla.functions.spec.FunctionYaml;
import io.knabla.functions.spec.Parsed;
import io.knabla.functions.unit.Blob;
import io.knabla.functions.unit.DataType;
import io.knabla.functions.unit.Digest;
import io.knabla.functions.unit.EntryPoint;
import io.knabla.functions.unit.GraphManifest;
import io.knabla.functions.unit.Optimization;
import io.knabla.functions.unit.Sha256;
import io.knabla.functions.unit.TensorSpec;
import io.knabla.functions.unit.TrainingSpec;
import io.knabla.functions.unit.TrainingSpec.Setting;
import io.knabla.functions.unit.TrainingSpec.StateTensor;
import io.knabla.functions.unit.UnitStore;
import io.knabla.functions.unit.download.DownloadListener;
import io.knabla.functions.unit.safetensors.SafeTensors;
import io.knabla.functions.unit.safetensors.SafeTensors.Values;
import io.knabla.storage.Content;
import io.knabla.storage.ObjectStore;
import io.knabla.storage.memory.MemoryObjectStore;
import io.knabla.storage.setup.Stores;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Builder and owner of a test unit with several graphs in its own store. */
public final class TestUnit implements AutoCloseable {
    private final Path home;
    private final ObjectStore store;
    private final UnitStore units;
    private final List<EntryPoint> entries = new ArrayList<>();
    private final List<StateTensor> state = new ArrayList<>();
    private final List<Setting> settings = new ArrayList<>();
    private GraphManifest plain;
    private Optimization optimization = Optimization.FULL;
    private Blob initial;
    private Digest unit;

    public TestUnit() throws IOException {
        this(Files.createTempDirectory("knabla-unit"));
    }

    private TestUnit(Path home) {
        this(home, Stores.open(location(home)));
    }

    private TestUnit(Path home, ObjectStore store) {
        this.home = home;
        this.store = store;
        units = new UnitStore(store);
    }

    /** A model, packaged as by the platform into a store in memory; not for another process. */
    public static TestUnit inMemory(ModelProto model) throws IOException {
        var unit = new TestUnit(Files.createTempDirectory("knabla-unit"), new MemoryObjectStore());
        Path file = Files.write(unit.home.resolve("model.onnx"), model.toByteArray());
        return unit.packaged(ModelFiles.beside(file), new Transform.None());
    }

    /** A sample function of Knabla, packaged as by the platform. */
    public static TestUnit sample(String name) throws IOException {
        Path folder = Path.of("../functions/samples", name);
        return switch (FunctionYaml.parse(Files.readString(folder.resolve("function.yaml")))) {
            case Parsed.Valid(var resource) -> {
                var unit = new TestUnit();
                Path model = folder.resolve(resource.spec().model());
                yield unit.packaged(ModelFiles.beside(model), Transform.of(resource.spec(), Map.of()));
            }
            case Parsed.Invalid(var faults) -> throw new IllegalStateException(faults.toString());
        };
    }

    /** A model with a function.yaml's {@code spec}, packaged as by the platform. */
    public static TestUnit of(ModelProto model, String spec) throws IOException {
        String yaml = """
                apiVersion: knabla.dev/v1alpha1
                kind: Function
                metadata: {name: m}
                spec:
                  model: model.onnx
                """ + spec.indent(2);
        return switch (FunctionYaml.parse(yaml)) {
            case Parsed.Valid(var resource) -> {
                var unit = new TestUnit();
                Path file = Files.write(unit.home.resolve("model.onnx"), model.toByteArray());
                yield unit.packaged(
                        ModelFiles.beside(file).with(resource.spec().modelInterface()),
                        Transform.of(resource.spec(), Map.of()));
            }
            case Parsed.Invalid(var faults) -> throw new IllegalStateException(faults.toString());
        };
    }

    /** The calibration unit of a model, with these sample requests in JSON. */
    public static TestUnit calibration(Path model, String requests) throws IOException {
        var unit = new TestUnit();
        Path calibration = Files.writeString(unit.home.resolve("requests.json"), requests);
        return switch (Packager.calibrationUnit(ModelFiles.beside(model), calibration, unit.store)) {
            case CalibrationUnitResult.Stored(var stored) -> {
                unit.unit = stored;
                yield unit;
            }
            case CalibrationUnitResult.NothingToMeasure _ -> throw new IllegalStateException("nothing to measure");
            case CalibrationUnitResult.Refused(var faults) -> throw new IllegalStateException(faults.toString());
        };
    }

    private TestUnit packaged(ModelFiles model, Transform transform) {
        return switch (Packager.pack(model, transform, store)) {
            case PackagingResult.Packaged packaged -> {
                unit = packaged.unit();
                yield this;
            }
            case PackagingResult.Refused(var faults) -> throw new IllegalStateException(faults.toString());
        };
    }

    public TestUnit main(ModelProto model) throws IOException {
        plain = new GraphManifest(
                GraphManifest.SCHEMA,
                blob(model.toByteArray()),
                List.of(),
                specs(model.getGraph().getInputList()),
                specs(model.getGraph().getOutputList()),
                false,
                new GraphManifest.ModelVersion(8, 17));
        return this;
    }

    public TestUnit entry(String name, ModelProto model) throws IOException {
        entries.add(new EntryPoint(
                name,
                blob(model.toByteArray()),
                specs(model.getGraph().getInputList()),
                specs(model.getGraph().getOutputList())));
        return this;
    }

    public TestUnit optimization(Optimization value) {
        optimization = value;
        return this;
    }

    /** Declares an input and an output of the main graph as training state. */
    public TestUnit state(String input, String output) {
        TensorSpec spec = plain.inputs().stream()
                .filter(one -> one.name().equals(input))
                .findFirst()
                .orElseThrow();
        state.add(new StateTensor(input, output, spec));
        return this;
    }

    public TestUnit setting(String input, double otherwise) {
        settings.add(new Setting(input, otherwise));
        return this;
    }

    /** @param answers further outputs that the replica supplies */
    public TestUnit initial(List<Values> tensors, TensorSpec... answers) throws IOException {
        Content content = SafeTensors.content(tensors, Map.of());
        initial = blob(content.open().readAllBytes());
        List<TensorSpec> outputs = new ArrayList<>(without(plain.outputs(), false));
        outputs.addAll(List.of(answers));
        plain = new GraphManifest(
                GraphManifest.SCHEMA,
                plain.graph(),
                List.of(),
                without(plain.inputs(), true),
                outputs,
                false,
                plain.model());
        return this;
    }

    private List<TensorSpec> without(List<TensorSpec> specs, boolean inputs) {
        return specs.stream()
                .filter(spec -> state.stream()
                        .map(one -> inputs ? one.input() : one.output())
                        .noneMatch(spec.name()::equals))
                .toList();
    }

    public TestUnit write() {
        unit = units.write(plain.with(
                optimization,
                entries,
                Optional.ofNullable(initial).map(blob -> new TrainingSpec(state, blob, settings))));
        return this;
    }

    private Blob blob(byte[] bytes) {
        var blob = new Blob(Sha256.of(bytes), bytes.length);
        units.writeBlob(blob, Content.of(bytes));
        return blob;
    }

    private static List<TensorSpec> specs(List<ValueInfoProto> values) {
        return values.stream().map(TestUnit::spec).toList();
    }

    private static TensorSpec spec(ValueInfoProto value) {
        var tensor = value.getType().getTensorType();
        var shape = new ArrayList<Long>();
        var symbols = new ArrayList<String>();
        for (TensorShapeProto.Dimension dim : tensor.getShape().getDimList()) {
            shape.add(dim.hasDimValue() ? dim.getDimValue() : -1);
            symbols.add(dim.getDimParam());
        }
        return new TensorSpec(
                value.getName(), DataType.ofOnnx(tensor.getElemType()).orElseThrow(), shape, symbols);
    }

    public Digest unit() {
        return unit;
    }

    public Path home() {
        return home;
    }

    public ObjectStore store() {
        return store;
    }

    public GraphManifest manifest() {
        return units.read(unit).graphs();
    }

    /** Nothing evicts it from this cache; a lease would stay open until the process ends. */
    public Path folder() {
        return units.prefetch(unit, home.resolve("cache"), Map.of(), DownloadListener.NONE);
    }

    private static String location(Path home) {
        return home.resolve("store").toUri().toString();
    }

    /** Environment of a replica that serves this unit. */
    public Map<String, String> environment() {
        var environment = new HashMap<String, String>();
        environment.put("KNABLA_UNIT", unit.value());
        environment.put("KNABLA_STORE", location(home));
        environment.put("KNABLA_CACHE", home.resolve("cache").toString());
        environment.put("KNABLA_MODEL_NAME", "m");
        environment.put("KNABLA_STATE", "states/default/m/1.safetensors");
        environment.put("ORT_DISABLE_TELEMETRY", "1");
        return environment;
    }

    @Override
    public void close() throws IOException {
        store.close();
        try (Stream<Path> files = Files.walk(home)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
