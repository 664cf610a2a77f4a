package io.knabla.functions.unit;

import java.util.List;
import java.util.Optional;

/**
 * An input whose elements are class indices. An engine refuses some of the others and takes the rest for classes
 * counted from the end, so a request is held against this before it runs.
 *
 * @param input its name among the unit's inputs
 * @param classes how many there are, or -1 where only a run tells
 * @param ignored the one index outside of the classes that is allowed, if any
 */
public record Labels(String input, long classes, Optional<Long> ignored) {
    public Labels {
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

    /** What is allowed, for a sentence. */
    public String allowed() {
        String range = classes < 0 ? "0 and more" : "0 to %d".formatted(classes - 1);
        return ignored.map(index -> range + ", and %d to ignore".formatted(index))
                .orElse(range);
    }
}
