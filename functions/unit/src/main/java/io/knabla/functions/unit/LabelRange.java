package io.knabla.functions.unit;

import java.util.List;
import java.util.Optional;

/**
 * Range of valid class indices in one input; every request is checked against it before it runs. ONNX Runtime refuses
 * some invalid indices and reads the others as classes counted from the end.
 *
 * @param input its name among the unit's inputs
 * @param classes their number, or -1 if it is known only at run time
 * @param ignored the one index outside the range that is allowed too, if any
 */
public record LabelRange(String input, long classes, Optional<Long> ignored) {
    public LabelRange {
        if (classes < -1) {
            throw new IllegalArgumentException("labels '%s' have %d classes".formatted(input, classes));
        }
    }

    void checkAmong(List<TensorSpec> inputs) {
        boolean found = inputs.stream().anyMatch(one -> one.name().equals(input) && one.datatype() == DataType.INT64);
        if (!found) {
            throw new IllegalArgumentException("labels '%s' are no input of INT64".formatted(input));
        }
    }

    public boolean allow(long label) {
        return label >= 0 && (classes < 0 || label < classes) || ignored.isPresent() && ignored.get() == label;
    }

    /** The allowed values as text for error messages. */
    public String allowed() {
        String range = classes < 0 ? "0 and more" : "0 to %d".formatted(classes - 1);
        return ignored.map(index -> range + ", and %d to ignore".formatted(index))
                .orElse(range);
    }
}
