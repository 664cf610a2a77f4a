package io.knabla.runtime.answers;

import static io.knabla.functions.compiler.onnx.ElementType.STRING;

import ai.onnx.proto.OnnxMl.ModelProto;
import ai.onnx.proto.OnnxMl.NodeProto;
import ai.onnx.proto.OnnxMl.TensorProto;
import ai.onnxruntime.OrtException;
import com.google.protobuf.TextFormat;
import io.knabla.functions.compiler.importer.Importer;
import io.knabla.functions.compiler.importer.Importer.ImportResult;
import io.knabla.functions.compiler.interpreter.DagEvaluator;
import io.knabla.functions.compiler.interpreter.NdArray;
import io.knabla.functions.compiler.interpreter.OnnxRuntime;
import io.knabla.functions.compiler.ir.Dag;
import io.knabla.functions.compiler.onnx.ElementType;
import io.knabla.functions.compiler.onnx.Model;
import io.knabla.runtime.answers.Draft.Var;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** A random model, random inputs for it, and what it answers to them. */
final class RandomModel {
    private static final int REQUESTS = Deployed.Form.values().length;
    private static final int MOST_INPUTS = 3;
    private static final int MOST_STEPS = 6;
    private static final int MOST_OUTPUTS = 4;
    private static final int MOST_COLUMNS = 3;

    private final Draft draft;
    private final RandomTexts texts;
    private final List<Var> outputs = new ArrayList<>();
    private final ModelProto numbers;

    /** @param steps operators and control structures at most */
    RandomModel(long seed, int steps) {
        var random = new SplittableRandom(seed);
        draft = new Draft(random, random.nextInt(3) > 0);
        texts = new RandomTexts(draft);
        inputs();
        for (int i = 0; i < steps; i++) {
            switch (draft.below(8)) {
                case 0, 1 -> texts.add();
                case 2 -> RandomBodies.add(draft);
                default -> RandomOperators.add(draft);
            }
        }
        outputs();
        numbers = numbers();
    }

    /** Steps of the model of a seed: the first models are small. */
    static int steps(int seed) {
        return seed % (MOST_STEPS + 1);
    }

    private void inputs() {
        int count = 1 + draft.below(MOST_INPUTS);
        for (int i = 0; i < count; i++) {
            ElementType type = draft.below(4) == 0 ? STRING : draft.one(Draft.NUMBERS);
            if (!draft.byRows && draft.below(5) == 0) {
                draft.input(type);
            } else {
                draft.input(type, -1, draft.below(6) == 0 ? 0 : 1 + draft.below(MOST_COLUMNS));
            }
        }
        if (!draft.byRows || draft.below(2) == 0) {
            draft.constant(RandomNumbers.array(draft.random, draft.one(Draft.NUMBERS), List.of(2), 0));
        }
    }

    /** Any values, some twice; where answers are by rows, those that have rows. */
    private void outputs() {
        List<Var> possible = draft.values.stream()
                .filter(value -> !draft.byRows || value.isTable())
                .toList();
        int count = 1 + draft.below(MOST_OUTPUTS);
        for (int i = 0; i < count; i++) {
            // The latest values depend on most others.
            outputs.add(draft.below(2) == 0 ? possible.getLast() : draft.one(possible));
        }
    }

    ModelProto model() {
        return Draft.model(draft.inputs, draft.nodes, draft.initializers, outputs);
    }

    /** The part without texts, which the interpreter runs; numbers of words are inputs of it. */
    private ModelProto numbers() {
        List<Var> inputs = new ArrayList<>(draft.inputs);
        inputs.removeIf(input -> input.is(STRING));
        inputs.addAll(texts.numbersOfWords());
        List<NodeProto> nodes = new ArrayList<>(draft.nodes);
        nodes.removeIf(texts::owns);
        List<TensorProto> constants = new ArrayList<>(draft.initializers);
        constants.removeIf(tensor -> tensor.getDataType() == STRING.number());
        var wanted = new LinkedHashSet<>(outputs);
        wanted.removeIf(output -> output.is(STRING));
        wanted.addAll(texts.numbersWithWords());
        return Draft.model(inputs, nodes, constants, List.copyOf(wanted));
    }

    /** Whether requests may share a run. */
    boolean isBatchable() {
        return draft.byRows;
    }

    List<String> outputNames() {
        return outputs.stream().map(Var::name).toList();
    }

    /**
     * Values of each input by its name.
     *
     * @param mayBeEmpty whether the number of rows may be zero
     */
    List<Request> requests(boolean mayBeEmpty) {
        var requests = new ArrayList<Request>();
        for (int i = 0; i < REQUESTS; i++) {
            int rows = mayBeEmpty && !draft.needsRows ? draft.below(4) : 1 + draft.below(3);
            var request = new Request(rows);
            for (Var input : draft.inputs) {
                if (input.is(STRING)) {
                    List<Long> shape = input.shape().stream()
                            .map(size -> (long) (size < 0 ? rows : size))
                            .toList();
                    long size = shape.stream().reduce(1L, (a, b) -> a * b);
                    request.texts().put(input.name(), new Values(shape, RandomTexts.random(draft.random, (int) size)));
                } else {
                    request.numbers()
                            .put(input.name(), RandomNumbers.array(draft.random, input.type(), input.shape(), rows));
                }
            }
            requests.add(request);
        }
        return requests;
    }

    /** What the interpreter answers, and the texts that go with it. */
    Map<String, Values> interpreted(Request request) {
        Map<String, NdArray> computed = DagEvaluator.run(dag(), feeds(request));
        Map<String, Values> answers = new HashMap<>(texts.given(request.texts()));
        answers.putAll(plain(computed));
        answers.putAll(texts.words(computed));
        return answers;
    }

    /** What the engine answers without anything of ours around it; only what it answers right by itself. */
    Map<String, Values> engine(Request request) throws OrtException {
        Map<String, NdArray> feeds = feeds(request);
        return draft.oddBodies || numbers.getGraph().getOutputCount() == 0
                ? Map.of()
                : plain(OnnxRuntime.run(numbers, feeds));
    }

    private Dag dag() {
        return switch (Importer.read(Model.of(numbers))) {
            case ImportResult.Success(var dag) -> dag;
            case ImportResult.Refused(var problems) -> throw new AssertionError(problems.toString());
        };
    }

    private Map<String, NdArray> feeds(Request request) {
        Map<String, NdArray> feeds = new LinkedHashMap<>(request.numbers());
        feeds.putAll(texts.numbers(texts.given(request.texts())));
        return feeds;
    }

    private static Map<String, Values> plain(Map<String, NdArray> arrays) {
        Map<String, Values> plain = new HashMap<>();
        arrays.forEach((name, array) -> plain.put(name, Values.of(array)));
        return plain;
    }

    @Override
    public String toString() {
        return TextFormat.printer().emittingSingleLine(true).printToString(model());
    }
}
