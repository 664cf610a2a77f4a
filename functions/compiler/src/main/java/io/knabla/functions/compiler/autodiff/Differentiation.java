package io.knabla.functions.compiler.autodiff;

import io.knabla.functions.Fault;
import io.knabla.functions.compiler.autodiff.loss.ClassIndexInput;
import java.util.List;
import java.util.Optional;

/** Result of differentiating a model: the derivative graphs and their state, or all faults. */
public sealed interface Differentiation {
    /** @param labels input of the main graph that holds class indices, if the loss has one */
    record Differentiated(
            List<CompiledGraph> entries,
            List<StateTensor> state,
            Optional<ClassIndexInput> labels,
            List<String> warnings)
            implements Differentiation {}

    record NotDifferentiated(List<Fault> faults) implements Differentiation {}
}
