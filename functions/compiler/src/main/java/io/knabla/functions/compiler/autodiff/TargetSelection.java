package io.knabla.functions.compiler.autodiff;

import io.knabla.functions.Fault;
import io.knabla.functions.compiler.autodiff.ParameterClassifier.Classification;
import io.knabla.functions.compiler.autodiff.options.Gradient;
import io.knabla.functions.compiler.autodiff.reverse.GradientTarget;
import io.knabla.functions.compiler.ir.Dag;
import io.knabla.functions.compiler.ir.Op;
import io.knabla.functions.compiler.ir.Value;
import io.knabla.functions.compiler.onnx.Shape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The targets that {@code withRespectTo} selects, with the faults and warnings of the selection.
 *
 * @param targets in the order of {@code withRespectTo}, each once
 * @param problems entries that select nothing, or nothing that has a derivative, and exceptions from nothing
 * @param warnings initializers left out although a user may expect them
 */
public record TargetSelection(List<GradientTarget> targets, List<Fault> problems, List<String> warnings) {
    private static final String PATH = "spec.gradient.withRespectTo";
    private static final String EXCEPT = "spec.gradient.except";
    private static final int SHOWN = 5;

    /** More parameters than a sentence should list; their names repeat by layer. */
    private static final int LISTED = 100;

    public TargetSelection {
        targets = List.copyOf(targets);
        problems = List.copyOf(problems);
        warnings = List.copyOf(warnings);
    }

    /** Selects by {@code withRespectTo} and {@code except}. */
    public static TargetSelection resolve(Dag dag, Gradient gradient) {
        List<String> words = gradient.withRespectTo();
        List<Pattern> except =
                gradient.except().stream().map(TargetSelection::glob).toList();
        var selected = new LinkedHashSet<String>();
        var found = new LinkedHashMap<String, Value>();
        var problems = new ArrayList<Fault>();
        var warnings = new ArrayList<String>();
        for (int i = 0; i < words.size(); i++) {
            Map<String, Value> one = switch (words.get(i)) {
                case "parameters" -> parameters(dag, warnings);
                case "inputs" -> floats(dag.inputs());
                default -> named(dag, words.get(i));
            };
            String path = PATH + "[" + i + "]";
            if (one.isEmpty()) {
                problems.add(new Fault(path, nothing(dag, words.get(i))));
            }
            selected.addAll(one.keySet());
            one.keySet().removeIf(name -> except.stream().anyMatch(matches(name)));
            one.forEach((name, value) -> {
                if (!value.isFloat()) {
                    problems.add(new Fault(path, integer(name, value)));
                }
            });
            found.putAll(one);
        }
        if (problems.isEmpty()) {
            problems.addAll(unused(gradient.except(), selected));
            if (found.isEmpty() && !selected.isEmpty()) {
                problems.add(new Fault(EXCEPT, "leaves out all of %s; keep one of them".formatted(shown(selected))));
            }
        }
        var targets = new ArrayList<GradientTarget>();
        found.forEach((name, value) -> targets.add(new GradientTarget(name, value)));
        return new TargetSelection(targets, problems, warnings);
    }

    private static Predicate<Pattern> matches(String name) {
        return pattern -> pattern.matcher(name).matches();
    }

    private static List<Fault> unused(List<String> except, Set<String> selected) {
        return IntStream.range(0, except.size())
                .filter(i -> selected.stream().noneMatch(glob(except.get(i)).asMatchPredicate()))
                .mapToObj(i -> new Fault(
                        EXCEPT + "[" + i + "]",
                        "'%s' is the name of none of the selected values: %s"
                                .formatted(except.get(i), shown(selected))))
                .toList();
    }

    private static String shown(Set<String> names) {
        return shortened(names.stream().map("'%s'"::formatted).toList(), LISTED);
    }

    /** Lists what a training step changes, by name and shape. */
    String trained() {
        List<String> values = targets.stream()
                .map(target -> "'%s' %s"
                        .formatted(
                                target.name(),
                                target.value().shape().map(Shape::toString).orElse("")))
                .toList();
        return "each request trains %s: %s. ONNX does not tell which of them are buffers or frozen; leave such out with spec.gradient.except: [NAME, …]"
                .formatted(values.size() == 1 ? "1 value" : values.size() + " values", shortened(values, LISTED));
    }

    private static Map<String, Value> parameters(Dag dag, List<String> warnings) {
        var parameters = new LinkedHashMap<String, Value>();
        var left = new ArrayList<String>();
        for (Classification verdict : ParameterClassifier.classifyAll(dag)) {
            if (verdict.parameter()) {
                parameters.put(verdict.name(), dag.initializers().get(verdict.name()));
            } else if (dag.initializers().get(verdict.name()).rank() > 0) {
                left.add("'%s' (%s)".formatted(verdict.name(), verdict.reason()));
            }
        }
        if (!left.isEmpty()) {
            warnings.add("not counted as parameters: %s; name them in withRespectTo if they are"
                    .formatted(shortened(left, SHOWN)));
        }
        return parameters;
    }

    private static String shortened(List<String> all, int most) {
        String some = all.stream().limit(most).collect(Collectors.joining(", "));
        return all.size() > most ? some + " and " + (all.size() - most) + " more" : some;
    }

    private static Map<String, Value> floats(Map<String, Value> values) {
        var floats = new LinkedHashMap<>(values);
        floats.values().removeIf(v -> !v.isFloat());
        return floats;
    }

    /** Inputs and initializers first; inner values only if neither matches. */
    private static Map<String, Value> named(Dag dag, String word) {
        Pattern pattern = glob(word);
        var outer = new LinkedHashMap<>(dag.inputs());
        outer.putAll(dag.initializers());
        outer.keySet().removeIf(name -> !pattern.matcher(name).matches());
        return outer.isEmpty() ? inner(dag, pattern) : outer;
    }

    private static Map<String, Value> inner(Dag dag, Pattern pattern) {
        var inner = new LinkedHashMap<String, Value>();
        for (Op op : dag.ops()) {
            for (Value value : op.outputs()) {
                if (op.scope().outer() == null && pattern.matcher(value.name()).matches()) {
                    inner.put(value.name(), value);
                }
            }
        }
        inner.remove("");
        return inner;
    }

    private static Pattern glob(String word) {
        return Pattern.compile(
                Arrays.stream(word.split("\\*", -1)).map(Pattern::quote).collect(Collectors.joining(".*")));
    }

    private static String nothing(Dag dag, String word) {
        return switch (word) {
            case "parameters" -> "the model has no trainable parameters; name its values instead";
            case "inputs" -> "the model has no floating-point input";
            default ->
                "'%s' is the name of no value; the model has the inputs %s and the initializers %s"
                        .formatted(
                                word,
                                dag.inputs().keySet(),
                                shortened(List.copyOf(dag.initializers().keySet()), SHOWN));
        };
    }

    private static String integer(String name, Value value) {
        return "'%s' holds %s, and only floating-point values have derivatives".formatted(name, value.element());
    }
}
