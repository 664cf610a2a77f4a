package io.knabla.functions.autodiff;

import io.knabla.functions.autodiff.loss.ClassIndices;
import io.knabla.functions.spec.Fault;
import java.util.List;
import java.util.Optional;

public sealed interface Differentiation {
    /** @param labels the main graph's input with class indices, where the loss has one */
    record Differentiated(
            List<Entry> entries, List<StateTensor> state, Optional<ClassIndices> labels, List<String> warnings)
            implements Differentiation {}

    record NotDifferentiated(List<Fault> faults) implements Differentiation {}
}
