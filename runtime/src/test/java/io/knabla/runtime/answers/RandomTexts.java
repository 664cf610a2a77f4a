package io.knabla.runtime.answers;

import static io.knabla.functions.compiler.onnx.ElementType.INT64;
import static io.knabla.functions.compiler.onnx.ElementType.STRING;

import ai.onnx.proto.OnnxMl.AttributeProto;
import ai.onnx.proto.OnnxMl.AttributeProto.AttributeType;
import ai.onnx.proto.OnnxMl.NodeProto;
import ai.onnx.proto.OnnxMl.TensorProto;
import com.google.protobuf.ByteString;
import io.knabla.functions.Onnx;
import io.knabla.functions.compiler.interpreter.NdArray;
import io.knabla.functions.compiler.onnx.ElementType;
import io.knabla.runtime.answers.Draft.Var;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/** The texts of a random graph: copies, numbers of words and words of numbers; knows what they are. */
final class RandomTexts {
    private static final List<String> WORDS =
            List.of("monday", "", "Besançon", "中文", "😀", "👩‍👩‍👧", "a\0b", "\0", "𝒳\n\"", "\uffff");

    /** What LabelEncoder answers for a number without a word, and for a word without a number. */
    private static final String NO_WORD = "_Unused";

    private static final long NO_NUMBER = -1;

    private record Step(Var from, Var to, NodeProto node) {}

    private final Draft draft;
    private final Map<Var, List<String>> constants = new HashMap<>();
    private final List<Step> copies = new ArrayList<>();
    private final List<Step> numbers = new ArrayList<>();
    private final List<Step> words = new ArrayList<>();

    RandomTexts(Draft draft) {
        this.draft = draft;
    }

    static List<String> random(RandomGenerator random, int count) {
        return IntStream.range(0, count)
                .mapToObj(_ ->
                        random.nextInt(5) == 0 ? "no such" + random.nextInt() : WORDS.get(random.nextInt(WORDS.size())))
                .toList();
    }

    void add() {
        Var text = draft.find(value ->
                value.is(STRING) && words.stream().noneMatch(step -> step.to().equals(value)));
        switch (draft.below(4)) {
            case 0 -> constant();
            case 1 -> copy(text);
            case 2 -> number(text);
            default -> word(draft.find(value -> value.is(INT64)));
        }
    }

    private void constant() {
        List<String> texts = random(draft.random, 2);
        var constant = new Var(draft.name(), STRING, List.of(2));
        TensorProto.Builder tensor = TensorProto.newBuilder()
                .setName(constant.name())
                .setDataType(STRING.number())
                .addDims(2);
        texts.forEach(text -> tensor.addStringData(ByteString.copyFromUtf8(text)));
        draft.initializers.add(tensor.build());
        draft.values.add(constant);
        constants.put(constant, texts);
    }

    private void copy(Var text) {
        if (text != null) {
            Var copy = draft.node("Identity", List.of(text), STRING, text.shape());
            copies.add(new Step(text, copy, draft.nodes.getLast()));
        }
    }

    private void number(Var text) {
        if (text != null) {
            numbers.add(encoder(text, INT64, texts("keys_strings"), longs("values_int64s")));
        }
    }

    private void word(Var number) {
        if (number != null) {
            words.add(encoder(number, STRING, longs("keys_int64s"), texts("values_strings")));
        }
    }

    private Step encoder(Var from, ElementType type, AttributeProto keys, AttributeProto values) {
        var to = new Var(draft.name(), type, from.shape());
        NodeProto node = NodeProto.newBuilder()
                .setDomain("ai.onnx.ml")
                .setOpType("LabelEncoder")
                .addInput(from.name())
                .addOutput(to.name())
                .addAttribute(keys)
                .addAttribute(values)
                .build();
        draft.nodes.add(node);
        draft.values.add(to);
        return new Step(from, to, node);
    }

    private static AttributeProto texts(String name) {
        return AttributeProto.newBuilder()
                .setName(name)
                .setType(AttributeType.STRINGS)
                .addAllStrings(WORDS.stream().map(ByteString::copyFromUtf8).toList())
                .build();
    }

    private static AttributeProto longs(String name) {
        return Onnx.ints(name, IntStream.range(0, WORDS.size()).asLongStream().toArray());
    }

    /** Whether a node works on texts, so that the interpreter cannot run it. */
    boolean owns(NodeProto node) {
        return List.of(copies, numbers, words).stream().flatMap(List::stream).anyMatch(step -> step.node() == node);
    }

    /** Numbers of words, which are inputs of what the interpreter runs. */
    List<Var> numbersOfWords() {
        return numbers.stream().map(Step::to).toList();
    }

    /** Numbers whose words are wanted, which are outputs of what the interpreter runs. */
    List<Var> numbersWithWords() {
        return words.stream().map(Step::from).toList();
    }

    /** Texts that do not depend on numbers, by name. */
    Map<String, Values> given(Map<String, Values> inputs) {
        Map<String, Values> known = new HashMap<>(inputs);
        constants.forEach((constant, texts) -> known.put(constant.name(), new Values(List.of(2L), texts)));
        copies.forEach(step -> known.put(step.to().name(), known.get(step.from().name())));
        return known;
    }

    /** The numbers of words, for the interpreter. */
    Map<String, NdArray> numbers(Map<String, Values> texts) {
        Map<String, NdArray> found = new HashMap<>();
        for (Step step : numbers) {
            Values from = texts.get(step.from().name());
            long[] values = from.data().stream()
                    .mapToLong(text -> WORDS.contains(text) ? WORDS.indexOf(text) : NO_NUMBER)
                    .toArray();
            int[] dims = from.shape().stream().mapToInt(Long::intValue).toArray();
            found.put(step.to().name(), NdArray.whole(INT64, dims, values));
        }
        return found;
    }

    /** The words of numbers, by name. */
    Map<String, Values> words(Map<String, NdArray> computed) {
        Map<String, Values> found = new HashMap<>();
        for (Step step : words) {
            Values from = Values.of(computed.get(step.from().name()));
            found.put(
                    step.to().name(),
                    new Values(
                            from.shape(),
                            from.data().stream().map(RandomTexts::word).toList()));
        }
        return found;
    }

    private static Object word(Object number) {
        long index = (Long) number;
        return index >= 0 && index < WORDS.size() ? WORDS.get((int) index) : NO_WORD;
    }
}
