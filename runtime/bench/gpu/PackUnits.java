import ai.onnx.proto.OnnxMl.GraphProto;
import ai.onnx.proto.OnnxMl.ModelProto;
import ai.onnx.proto.OnnxMl.NodeProto;
import ai.onnx.proto.OnnxMl.OperatorSetIdProto;
import ai.onnx.proto.OnnxMl.TensorProto;
import ai.onnx.proto.OnnxMl.TensorShapeProto;
import ai.onnx.proto.OnnxMl.TypeProto;
import ai.onnx.proto.OnnxMl.ValueInfoProto;
import io.knabla.functions.packaging.ModelFiles;
import io.knabla.functions.packaging.Packager;
import io.knabla.functions.packaging.PackagingResult;
import io.knabla.functions.packaging.Transform;
import io.knabla.functions.spec.FunctionSpec;
import io.knabla.functions.spec.FunctionSpec.FunctionType;
import io.knabla.functions.spec.FunctionYaml;
import io.knabla.functions.spec.Parsed;
import io.knabla.functions.unit.Digest;
import io.knabla.storage.ObjectStore;
import io.knabla.storage.setup.Stores;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/**
 * Packages the samples for run.sh, as a deploy does, and an MLP that PyTorch can compute beside it, also in half
 * precision: {@code java PackUnits.java SAMPLES OUT}. Writes the store, a request for each, and {@code units.tsv}: name,
 * unit, type.
 */
void main(String[] arguments) throws Exception {
    Path samples = Path.of(arguments[0]).toAbsolutePath();
    Path out = Path.of(arguments[1]).toAbsolutePath();
    ObjectStore store = Stores.open(out.resolve("store").toUri());
    var units = new StringBuilder();
    // The training step changes its state, and the others are of types that compute on the CPU only.
    for (String name : List.of("add-sub", "digits", "digits-gradient", "exp", "lecture", "text-similarity")) {
        Path folder = samples.resolve(name);
        FunctionSpec spec = spec(folder.resolve("function.yaml"));
        Path model = folder.resolve(spec.model()).normalize();
        units.append(line(name, pack(model, Transform.of(spec, Map.of()), store), spec.type()));
        Files.createDirectories(out.resolve("requests"));
        Files.copy(folder.resolve("request.json"), out.resolve("requests").resolve(name + ".json"));
    }
    Path mlp = Files.write(Files.createTempDirectory("pack").resolve("mlp.onnx"), mlp().toByteArray());
    units.append(line("mlp", pack(mlp, new Transform.None(), store), FunctionType.Inference));
    units.append(line("mlp-half", pack(mlp, new Transform.Half(Optional.empty()), store), FunctionType.Inference));
    String row = String.join(",", Collections.nCopies(MLP.getFirst(), "0.5"));
    Files.writeString(
            out.resolve("requests/mlp.json"),
            "{\"inputs\":[{\"name\":\"x\",\"shape\":[1,%d],\"datatype\":\"FP32\",\"data\":[%s]}]}".formatted(MLP.getFirst(), row));
    Files.writeString(out.resolve("units.tsv"), units);
}

String line(String name, Digest unit, FunctionType type) {
    return "%s\t%s\t%s\n".formatted(name, unit.value(), type);
}

Digest pack(Path model, Transform transform, ObjectStore store) {
    return switch (Packager.pack(new ModelFiles(model, _ -> Optional.empty()), transform, store)) {
        case PackagingResult.Packaged packaged -> packaged.unit();
        case PackagingResult.Refused refused ->
            throw new IllegalStateException("the packager refuses %s: %s".formatted(model, refused.faults()));
    };
}

/** Sizes of the layers, as measure.py has them. */
static final List<Integer> MLP = List.of(784, 1024, 1024, 10);

ModelProto mlp() {
    var graph = GraphProto.newBuilder().setName("mlp");
    var random = new Random(1);
    graph.addInput(rows("x", MLP.getFirst())).addOutput(rows("y", MLP.getLast()));
    String before = "x";
    for (int layer = 1; layer < MLP.size(); layer++) {
        boolean last = layer == MLP.size() - 1;
        String sums = last ? "y" : "h" + layer;
        graph.addInitializer(weights("w" + layer, random, MLP.get(layer - 1), MLP.get(layer)))
                .addInitializer(weights("b" + layer, random, MLP.get(layer)))
                .addNode(node("Gemm", sums, before, "w" + layer, "b" + layer));
        before = sums;
        if (!last) {
            before = "r" + layer;
            graph.addNode(node("Relu", before, sums));
        }
    }
    return ModelProto.newBuilder()
            .setIrVersion(8)
            .addOpsetImport(OperatorSetIdProto.newBuilder().setVersion(17))
            .setGraph(graph)
            .build();
}

NodeProto node(String op, String output, String... inputs) {
    return NodeProto.newBuilder().setOpType(op).addAllInput(List.of(inputs)).addOutput(output).build();
}

TensorProto weights(String name, Random random, int... shape) {
    var tensor = TensorProto.newBuilder().setName(name).setDataType(TensorProto.DataType.FLOAT_VALUE);
    int count = 1;
    for (int size : shape) {
        tensor.addDims(size);
        count *= size;
    }
    for (int i = 0; i < count; i++) {
        tensor.addFloatData((float) random.nextGaussian() / 32);
    }
    return tensor.build();
}

ValueInfoProto rows(String name, int length) {
    var shape = TensorShapeProto.newBuilder()
            .addDim(TensorShapeProto.Dimension.newBuilder().setDimParam("N"))
            .addDim(TensorShapeProto.Dimension.newBuilder().setDimValue(length));
    var type = TypeProto.Tensor.newBuilder().setElemType(TensorProto.DataType.FLOAT_VALUE).setShape(shape);
    return ValueInfoProto.newBuilder()
            .setName(name)
            .setType(TypeProto.newBuilder().setTensorType(type))
            .build();
}

FunctionSpec spec(Path file) throws IOException {
    return switch (FunctionYaml.parse(Files.readString(file))) {
        case Parsed.Valid valid -> valid.resource().spec();
        case Parsed.Invalid invalid -> throw new IllegalStateException(file + " is not valid: " + invalid.faults());
    };
}
