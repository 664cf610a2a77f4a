package io.knabla.controller.cli.print;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Formats output tensors for people: the likeliest classes, or the first values. */
public final class OutputFormatter {
    private static final int SHOWN_VALUES = 16;
    private static final int SHOWN_CLASSES = 3;

    private OutputFormatter() {}

    public static List<String> lines(JsonNode answer) {
        var lines = new ArrayList<String>();
        for (JsonNode output : answer.path("outputs")) {
            lines.add("%s %s %s"
                    .formatted(
                            output.path("name").asText(),
                            output.path("datatype").asText(),
                            output.path("shape")));
            lines.add("  " + values(output));
        }
        return lines;
    }

    private static String values(JsonNode output) {
        List<JsonNode> flat = new ArrayList<>();
        flatten(output.path("data"), flat);
        if (isScores(output)) {
            return "likeliest: " + classes(flat);
        }
        String more = flat.size() > SHOWN_VALUES ? ", … (%d values)".formatted(flat.size()) : "";
        return flat.stream()
                        .limit(SHOWN_VALUES)
                        .map(JsonNode::asText)
                        .collect(Collectors.joining(", ", "[", more + "]"))
                + summary(output, flat);
    }

    /** Range and norm of all values, if only the first ones are shown; the key figures of a gradient. */
    private static String summary(JsonNode output, List<JsonNode> flat) {
        if (flat.size() <= SHOWN_VALUES || !output.path("datatype").asText().startsWith("FP")) {
            return "";
        }
        double[] values = flat.stream().mapToDouble(JsonNode::asDouble).toArray();
        return String.format(
                Locale.ROOT,
                " from %.4g to %.4g, 2-norm %.4g",
                Arrays.stream(values).min().orElse(0),
                Arrays.stream(values).max().orElse(0),
                Math.sqrt(Arrays.stream(values).map(v -> v * v).sum()));
    }

    /** Index of the largest score. */
    public static int argmax(JsonNode output) {
        List<JsonNode> flat = new ArrayList<>();
        flatten(output.path("data"), flat);
        return IntStream.range(0, flat.size())
                .boxed()
                .max(Comparator.comparingDouble(i -> flat.get(i).asDouble()))
                .orElse(-1);
    }

    private static boolean isScores(JsonNode output) {
        String name = output.path("name").asText().toLowerCase(Locale.ROOT);
        JsonNode shape = output.path("shape");
        boolean one = shape.size() == 2
                && shape.path(0).asLong() == 1
                && shape.path(1).asLong() > 1;
        return one
                && output.path("datatype").asText().startsWith("FP")
                && (name.contains("logit") || name.contains("prob") || name.contains("score"));
    }

    private static String classes(List<JsonNode> scores) {
        double[] shares = shares(scores.stream().mapToDouble(JsonNode::asDouble).toArray());
        return IntStream.range(0, shares.length)
                .boxed()
                .sorted(Comparator.comparingDouble(i -> -shares[i]))
                .limit(SHOWN_CLASSES)
                .map(i -> String.format(Locale.ROOT, "%d (%.1f %%)", i, 100 * shares[i]))
                .collect(Collectors.joining(", "));
    }

    /** Probabilities stay as they are; anything else goes through softmax. */
    private static double[] shares(double[] scores) {
        double sum = Arrays.stream(scores).sum();
        boolean probabilities =
                Math.abs(sum - 1) < 1e-3 && Arrays.stream(scores).allMatch(s -> s >= 0);
        if (probabilities) {
            return scores;
        }
        double top = Arrays.stream(scores).max().orElse(0);
        double[] powers = Arrays.stream(scores).map(s -> Math.exp(s - top)).toArray();
        double total = Arrays.stream(powers).sum();
        return Arrays.stream(powers).map(p -> p / total).toArray();
    }

    private static void flatten(JsonNode node, List<JsonNode> into) {
        if (node.isArray()) {
            node.forEach(child -> flatten(child, into));
        } else if (!node.isMissingNode()) {
            into.add(node);
        }
    }

    /** The phases in one line: {@code queue 80 ms · infer 0.4 ms}. */
    public static String phases(Map<String, Double> phases) {
        return phases.entrySet().stream()
                .map(phase -> phase.getKey() + " " + Amounts.millis(phase.getValue()))
                .collect(Collectors.joining(" · "));
    }
}
