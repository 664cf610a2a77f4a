package io.knabla.functions.compiler.autodiff;

import io.knabla.functions.Fault;
import io.knabla.functions.compiler.autodiff.loss.ClassIndices;
import java.util.List;
import java.util.Optional;

public sealed interface Differentiation {
    /** @param labels the main graph's input with class indices, where the loss has one */
    record Differentiated(
            List<Entry> entries, List<StateTensor> state, Optional<ClassIndices> labels, List<String> warnings)
            implements Differentiation {}

    record NotDifferentiated(List<Fault> faults) implements Differentiation {}
}
