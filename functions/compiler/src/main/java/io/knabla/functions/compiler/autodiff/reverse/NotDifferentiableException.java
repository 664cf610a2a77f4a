package io.knabla.functions.compiler.autodiff.reverse;

import io.knabla.functions.Fault;
import java.util.List;
import java.util.stream.Collectors;

/** Thrown if a graph cannot be differentiated as requested; carries all faults. */
public final class NotDifferentiableException extends RuntimeException {
    private final List<Fault> problems;

    public NotDifferentiableException(List<Fault> problems) {
        super(problems.stream().map(Fault::toString).collect(Collectors.joining("\n")));
        this.problems = List.copyOf(problems);
    }

    public List<Fault> problems() {
        return problems;
    }
}
