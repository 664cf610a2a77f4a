package io.knabla.functions.compiler.autodiff.reverse;

import io.knabla.functions.Fault;
import java.util.List;
import java.util.stream.Collectors;

/** A graph cannot be differentiated as asked, for all of these reasons. */
public final class NotDifferentiable extends RuntimeException {
    private final List<Fault> problems;

    public NotDifferentiable(List<Fault> problems) {
        super(problems.stream().map(Fault::toString).collect(Collectors.joining("\n")));
        this.problems = List.copyOf(problems);
    }

    public List<Fault> problems() {
        return problems;
    }
}
