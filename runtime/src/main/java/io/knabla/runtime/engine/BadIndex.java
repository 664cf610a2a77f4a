package io.knabla.runtime.engine;

import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An out-of-range index, parsed from an error message of ONNX Runtime 1.29. The engine reports it by text only: its
 * codes FAIL and INVALID_ARGUMENT also cover its own faults. Weights are fixed, so such an index comes from the
 * caller's inputs.
 *
 * @param operator operator that used the index, such as {@code Gather}
 * @param index null where the engine does not say
 * @param range lowest index allowed (negative: counted from the end) to the highest; null if the engine does not say
 */
record BadIndex(String operator, Long index, Range range) {
    private static final Pattern NODE = Pattern.compile("while running (\\w+) node\\. Name:'.*?' Status Message: ");

    private static final Pattern OUTSIDE = Pattern.compile(
            "indices element out of data bounds, idx=(-?\\d+) must be within the inclusive range \\[(-?\\d+),(-?\\d+)\\]");

    private static final Pattern INVALID = Pattern.compile("invalid ind(?:ex|ice) found, ind(?:ex|ice) = (-?\\d+)");

    /** Messages without a number: of GatherElements, and of embedding nodes that the engine's optimiser creates. */
    private static final List<String> UNNUMBERED =
            List.of("Out of range value in index tensor", "input index out of range");

    /** Allowed indices, inclusive on both ends. */
    record Range(long first, long last) {}

    /** @param message message of the engine's exception; may be null */
    static Optional<BadIndex> parse(String message) {
        if (message == null) {
            return Optional.empty();
        }
        Matcher node = NODE.matcher(message);
        if (!node.find()) {
            return Optional.empty();
        }
        String operator = node.group(1);
        Matcher outside = OUTSIDE.matcher(message);
        if (outside.find(node.end())) {
            var range = new Range(Long.parseLong(outside.group(2)), Long.parseLong(outside.group(3)));
            return Optional.of(new BadIndex(operator, Long.parseLong(outside.group(1)), range));
        }
        Matcher invalid = INVALID.matcher(message);
        if (invalid.find(node.end())) {
            return Optional.of(new BadIndex(operator, Long.parseLong(invalid.group(1)), null));
        }
        return UNNUMBERED.stream().anyMatch(message.strip()::endsWith)
                ? Optional.of(new BadIndex(operator, null, null))
                : Optional.empty();
    }

    /** The error message for the caller. */
    String sentence(List<Tensor> inputs) {
        var text = new StringBuilder("the inputs ask the model's ").append(operator);
        text.append(index == null ? " for an index" : " for the index " + index);
        text.append(" that it does not have");
        if (range != null) {
            text.append("; allowed are 0 to ").append(range.last());
            text.append(", or from the end -1 to ").append(range.first());
        }
        String where = index == null ? null : where(inputs);
        return text.append(where == null ? "; look for indices that are too large and for too long inputs" : where)
                .toString();
    }

    /** Names the input that contains the index; null if none does, because then the model computed it. */
    private String where(List<Tensor> inputs) {
        for (Tensor input : inputs) {
            if (input.texts() != null || Elements.isFloatingPoint(input.type())) {
                continue;
            }
            for (int i = 0; i < input.elements(); i++) {
                if (Elements.integer(input.type(), input.data(), i) == index) {
                    return "; input '%s' holds it at element %d".formatted(input.name(), i);
                }
            }
        }
        return null;
    }
}
