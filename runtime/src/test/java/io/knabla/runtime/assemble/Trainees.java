package io.knabla.runtime.assemble;

import ai.onnx.proto.OnnxMl.ModelProto;
import ai.onnx.proto.OnnxMl.NodeProto;
import io.knabla.functions.Onnx;
import io.knabla.functions.compiler.onnx.ElementType;
import io.knabla.functions.decoder.CharacterModel;
import io.knabla.functions.decoder.TestEncoder;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/** Units that one replica serves in an AOT training run, each with calls of its own. */
record Trainees(List<Trainee> all) implements AutoCloseable {
    private static final int CONTEXT = 64;

    /** A unit, and the calls that it gets at a replica's port. */
    record Trainee(SampleUnit unit, AotCache.Load load) implements AutoCloseable {
        @Override
        public void close() throws IOException {
            unit.close();
        }
    }

    /** One unit of each kind that is only read from the store. */
    static Trainees readers(SampleUnit.Place place) throws Exception {
        return new Trainees(List.of(inference(place), generation(place), encoder(place)));
    }

    static Trainee inference(SampleUnit.Place place) throws IOException {
        return new Trainee(SampleUnit.of(model(), place), port -> new AotTrainingLoad(port).run());
    }

    /** A training step, which writes its state. */
    static Trainee step(SampleUnit.Place place) throws IOException {
        return new Trainee(SampleUnit.step(Onnx.mlp(64, 400, 64), place), port -> new AotTrainingLoad(port).steps());
    }

    private static Trainee generation(SampleUnit.Place place) throws IOException {
        var unit = SampleUnit.ofFolder("type: Generation", folder -> CharacterModel.write(folder, CONTEXT), place);
        return new Trainee(unit, port -> new TextTrainingLoad(port).generate());
    }

    private static Trainee encoder(SampleUnit.Place place) throws IOException {
        var unit = SampleUnit.ofFolder("type: Encoder", TestEncoder.of("bert")::write, place);
        return new Trainee(unit, port -> new TextTrainingLoad(port).embed());
    }

    /** A perceptron that also takes and answers a text, so that what a first text needs is in the cache. */
    private static ModelProto model() {
        ModelProto.Builder model = Onnx.mlp(64, 400, 64).toBuilder();
        model.getGraphBuilder()
                .addInput(Onnx.value("s", ElementType.STRING, "batch"))
                .addOutput(Onnx.value("t", ElementType.STRING, "batch"))
                .addNode(NodeProto.newBuilder()
                        .setOpType("Identity")
                        .addInput("s")
                        .addOutput("t"));
        return model.build();
    }

    Map<String, String> environment() {
        return all.getFirst().unit().environment();
    }

    @Override
    public void close() throws IOException {
        for (Trainee trainee : all) {
            trainee.close();
        }
    }
}
