package io.knabla.functions.autodiff;

import io.knabla.functions.spec.Fault;
import java.util.List;

public sealed interface Differentiation {
    record Differentiated(List<Entry> entries, List<StateTensor> state, List<String> warnings)
            implements Differentiation {}

    record NotDifferentiated(List<Fault> faults) implements Differentiation {}
}
