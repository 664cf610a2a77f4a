package io.knabla.functions.spec;

import io.knabla.functions.Fault;
import java.util.List;

/** Result of parsing a {@code function.yaml}: a valid resource, or all its faults. */
public sealed interface Parsed {
    record Valid(FunctionResource resource) implements Parsed {}

    /**
     * The document has faults.
     *
     * @param faults never empty
     */
    record Invalid(List<Fault> faults) implements Parsed {
        public Invalid {
            faults = List.copyOf(faults);
        }
    }
}
