package io.knabla.functions.compiler.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.knabla.functions.MemoryStore;
import io.knabla.functions.compiler.interpreter.NdArray;
import io.knabla.functions.compiler.interpreter.OnnxRuntime;
import io.knabla.functions.compiler.onnx.ElementType;
import io.knabla.functions.packaging.ModelFiles;
import io.knabla.functions.packaging.Packager;
import io.knabla.functions.packaging.PackagingResult;
import io.knabla.functions.unit.GraphManifest;
import io.knabla.functions.unit.TensorSpec;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.Stream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that Java functions give the same results eagerly, traced, and in ONNX Runtime. */
class TraceTest {
    private static final Offset<Double> NEAR = Offset.offset(2e-6);

    /** Example of user code: an ordinary record with parameters and methods. */
    record Classifier(Tensor w1, Tensor b1, Tensor w2, Tensor b2) {
        static Classifier random(long seed) {
            var random = new Random(seed);
            return new Classifier(
                    Tensors.normal(random, 0.5, 4, 8).named("fc1.weight"),
                    Tensors.zeros(8).named("fc1.bias"),
                    Tensors.normal(random, 0.5, 8, 3).named("fc2.weight"),
                    Tensors.zeros(3).named("fc2.bias"));
        }

        Tensor logits(Tensor x) {
            return x.linear(w1, b1).gelu().linear(w2, b2);
        }

        Tensor loss(Tensor x, Tensor labels) {
            return logits(x).crossEntropy(labels);
        }
    }

    private static final Signature BATCH =
            Signature.of("x", ElementType.FLOAT, "batch", 4).and("labels", ElementType.INT64, "batch");

    private static Map<String, Tensor> batch(int size) {
        var feeds = new LinkedHashMap<String, Tensor>();
        feeds.put("x", Tensors.normal(new Random(3), 1, size, 4));
        feeds.put("labels", Tensors.longs(new Random(4).longs(size, 0, 3).toArray()));
        return feeds;
    }

    private static void agree(Signature signature, Function<Inputs, Outputs> function, Map<String, Tensor> feeds)
            throws Exception {
        Traced traced = Trace.of(signature, function);
        Map<String, Tensor> eager = function.apply(new Inputs(feeds)).tensors();
        Map<String, Tensor> inJava = traced.run(feeds);
        var arrays = new LinkedHashMap<String, NdArray>();
        feeds.forEach((name, tensor) -> arrays.put(name, tensor.toNdArray()));
        Map<String, NdArray> byEngine = OnnxRuntime.run(traced.model(), arrays);
        assertThat(byEngine).containsOnlyKeys(eager.keySet());
        eager.forEach((name, tensor) -> {
            assertThat(inJava.get(name).dims()).isEqualTo(tensor.dims());
            assertThat(inJava.get(name).toArray()).containsExactly(tensor.toArray());
            assertThat(byEngine.get(name).dims()).isEqualTo(tensor.dims());
            assertThat(byEngine.get(name).reals()).containsExactly(tensor.toArray(), NEAR);
        });
    }

    @Test
    void aModelAndItsLoss() throws Exception {
        Classifier net = Classifier.random(1);

        for (int size : new int[] {1, 5}) {
            agree(
                    BATCH,
                    in -> Outputs.of("loss", net.loss(in.get("x"), in.get("labels")))
                            .and("logits", net.logits(in.get("x"))),
                    batch(size));
        }
    }

    @Test
    void parametersKeepTheirNames() {
        Classifier net = Classifier.random(1);

        Traced traced = Trace.of(BATCH, in -> Outputs.of("y", net.logits(in.get("x"))));

        assertThat(traced.dag().initializers()).containsOnlyKeys("fc1.weight", "fc1.bias", "fc2.weight", "fc2.bias");
        assertThat(traced.model().getGraph().getInitializerList())
                .extracting(t -> t.getName())
                .contains("fc1.weight", "fc1.bias", "fc2.weight", "fc2.bias");
    }

    @Test
    void resultsOfParametersOnlyAreNotConstantFolded() {
        Tensor w = Tensors.vector(1, 2, 3).named("w");

        Traced traced = Trace.of(BATCH, in -> Outputs.of("y", w.exp().sum()));

        assertThat(traced.dag().ops()).extracting(op -> op.type()).containsExactly("Exp", "ReduceSum");
        assertThat(traced.dag().initializers()).containsOnlyKeys("w");
        assertThatThrownBy(() -> Trace.of(
                        BATCH,
                        in -> Outputs.of("y", in.get("x").mul(w.index(0, 0).item()))))
                .isInstanceOf(DataDependentException.class);
        assertThat(w.exp().sum().item()).isGreaterThan(30);
    }

    @Test
    void aSavedFunctionIsPackagedLikeAnyModel(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("model.onnx");
        Classifier net = Classifier.random(1);
        Trace.of(BATCH, in -> Outputs.of("loss", net.loss(in.get("x"), in.get("labels"))))
                .save(file);

        PackagingResult packaging = Packager.pack(ModelFiles.beside(file), new MemoryStore());

        assertThat(packaging).isInstanceOf(PackagingResult.Packaged.class);
        GraphManifest manifest = ((PackagingResult.Packaged) packaging).graphs();
        assertThat(manifest.inputs()).extracting(TensorSpec::name).containsExactly("x", "labels");
        assertThat(manifest.outputs()).extracting(TensorSpec::name).containsExactly("loss");
    }

    static Stream<Arguments> functions() {
        return Stream.of(
                one("arithmetic", x -> x.mul(2).add(1).sub(x).div(3).pow(2)),
                one(
                        "functions",
                        x -> x.sin().add(x.cos()).mul(x.tanh()).add(x.sigmoid()).sub(x.erf())),
                one("activations", x -> x.relu().add(x.gelu()).add(x.silu()).add(x.softplus())),
                one(
                        "logarithms",
                        x -> x.abs().add(1).log().add(x.square().add(1).sqrt().reciprocal())),
                one(
                        "choice",
                        x -> Tensor.where(x.greater(0), x, x.neg().mul(0.1)).clip(-1, 0.7)),
                one(
                        "logic",
                        x -> x.less(1).and(x.greater(-1).not()).or(x.equal(x)).cast(ElementType.FLOAT)),
                one(
                        "reductions",
                        x -> x.sub(x.meanKept(-1))
                                .div(x.largest().sub(x.smallest()))
                                .sum(0)),
                one("softmax", x -> x.softmax(-1).add(x.logSoftmax(0))),
                one("layerNorm", x -> x.layerNorm(Tensors.full(2, 6), Tensors.ones(6), 1e-5)),
                one(
                        "layout",
                        x -> x.reshape(-1, 2, 3)
                                .transpose(2, 0, 1)
                                .flatten(1)
                                .unsqueeze(0)
                                .squeeze(0)),
                one(
                        "parts",
                        x -> Tensor.concat(1, x.slice(1, 1, 4), x.split(1, 2).getLast())),
                one(
                        "picks",
                        x -> x.index(1, 2).add(x.gather(1, Tensors.longs(0, -1)).sum(1))),
                one(
                        "stacks",
                        x -> Tensor.stack(0, x, x.exp())
                                .max(Tensors.scalar(0.5))
                                .min(x)),
                one("attention", x -> x.attention(x.mul(0.5), x)),
                one(
                        "losses",
                        x -> x.meanSquaredError(x.mul(0.5))
                                .add(x.meanAbsoluteError(x.neg()))
                                .add(x.binaryCrossEntropy(x.sigmoid()))),
                one("argMax", x -> x.argMax(1).cast(ElementType.FLOAT)),
                one(
                        "embedding",
                        x -> Tensors.of(new double[] {1, 2, 3, 4}, 2, 2)
                                .embedding(x.greater(0).cast(ElementType.INT64))),
                one(
                        "sizes",
                        x -> x.sum().div(x.sizeOf(0).cast(ElementType.FLOAT)).add(x.dim(1))),
                one("expand", x -> x.sumKept(1).expand(1, 6)));
    }

    private static Arguments one(String name, Function<Tensor, Tensor> function) {
        return Arguments.of(name, function);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("functions")
    void eagerTracedAndEngineResultsAgree(String name, Function<Tensor, Tensor> function) throws Exception {
        agree(
                Signature.of("x", ElementType.FLOAT, "rows", 6),
                in -> Outputs.of("y", function.apply(in.get("x"))),
                Map.of("x", Tensors.normal(new Random(9), 1, 3, 6)));
    }

    @Test
    void images() throws Exception {
        var random = new Random(5);
        Tensor weight = Tensors.normal(random, 0.3, 4, 3, 3, 3);
        Tensor bias = Tensors.normal(random, 0.3, 4);

        agree(
                Signature.of("x", ElementType.FLOAT, "batch", 3, 8, 8),
                in -> Outputs.of(
                        "y",
                        in.get("x")
                                .conv2d(weight, bias, 1, 1)
                                .relu()
                                .maxPool2d(2, 2)
                                .conv2d(weight.slice(1, 0, 1).expand(4, 4, 3, 3), null, 1, 0)
                                .averagePool2d(2, 1)),
                Map.of("x", Tensors.normal(random, 1, 2, 3, 8, 8)));
    }

    @Test
    void choicesAndRepetitions() throws Exception {
        Function<Inputs, Outputs> function = in -> {
            Tensor x = in.get("x");
            Tensor y = Trace.condOne(x.sum().greater(0), x::exp, () -> x.mul(2));
            Trace.ScanResult all = Trace.scan(List.of(Tensors.zeros(6)), List.of(y), (state, row) -> {
                Tensor sum = state.getFirst().mul(0.9).add(row.getFirst());
                return new Trace.ScanResult(List.of(sum), List.of(sum.tanh()));
            });
            return Outputs.of("last", all.state().getFirst())
                    .and("all", all.outputs().getFirst());
        };
        Tensor x = Tensors.normal(new Random(9), 1, 3, 6);

        for (Tensor feed : List.of(x.abs(), x.abs().neg())) {
            agree(Signature.of("x", ElementType.FLOAT, "rows", 6), function, Map.of("x", feed));
        }
    }

    @Test
    void refusesJavaConditionsOnValuesWithAdvice() {
        assertThatThrownBy(() -> Trace.of(BATCH, in -> Outputs.of("y", byValue(in.get("x")))))
                .isInstanceOf(DataDependentException.class)
                .hasMessageStartingWith("TraceTest.byValue (line ")
                .hasMessageContaining("booleanValue()")
                .hasMessageContaining("Tensor.where(")
                .hasMessageContaining("Trace.cond(")
                .hasMessageContaining("Trace.scan(");
        assertThat(byValue(Tensors.vector(1, 2)).toArray()).containsExactly(2, 4);
    }

    private static Tensor byValue(Tensor x) {
        return x.sum().greater(0).booleanValue() ? x.mul(2) : x;
    }

    @Test
    void refusesEveryWayToReadValues() {
        for (Function<Tensor, Object> reading : List.<Function<Tensor, Object>>of(
                x -> x.sum().item(), Tensor::toArray, Tensor::toNdArray, x -> x.named("w"))) {
            assertThatThrownBy(() -> Trace.of(BATCH, in -> {
                        reading.apply(in.get("x"));
                        return Outputs.of("y", in.get("x"));
                    }))
                    .isInstanceOf(DataDependentException.class)
                    .hasMessageContaining("TraceTest");
        }
    }

    @Test
    void allowsReadingSizesThatTheSignatureFixes() {
        Traced traced = Trace.of(BATCH, in -> {
            Tensor x = in.get("x");
            Tensor sum = x.index(1, 0);
            for (int i = 1; i < x.dim(1); i++) {
                sum = sum.add(x.index(1, i));
            }
            return Outputs.of("y", sum);
        });

        assertThat(traced.run(Map.of("x", Tensors.ones(2, 4), "labels", Tensors.longs(0, 0)))
                        .get("y")
                        .toArray())
                .containsExactly(4, 4);
    }

    @Test
    void refusesReadingAnOpenSize() {
        assertThatThrownBy(() -> Trace.of(
                        BATCH, in -> Outputs.of("y", in.get("x").mul(in.get("x").dim(0)))))
                .isInstanceOf(DataDependentException.class)
                .hasMessageContaining("axis 0 of 'x' FLOAT[batch, 4]")
                .hasMessageContaining("'batch'")
                .hasMessageContaining("sizeOf(0)");
    }

    @Test
    void refusesTensorsOfAnEndedTrace() {
        Tensor[] kept = new Tensor[1];
        Trace.of(BATCH, in -> {
            kept[0] = in.get("x");
            return Outputs.of("y", in.get("x"));
        });

        assertThatThrownBy(() -> kept[0].exp())
                .hasMessageContaining("a trace that is over")
                .hasMessageContaining("TraceTest");
    }

    @Test
    void refusesTwoParametersOfOneName() {
        assertThatThrownBy(() -> Trace.of(
                        BATCH,
                        in -> Outputs.of(
                                "y",
                                in.get("x")
                                        .add(Tensors.scalar(1).named("w"))
                                        .add(Tensors.scalar(2).named("w")))))
                .hasMessage("two parameters are called 'w'; names must be unique");
    }
}
