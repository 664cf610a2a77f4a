package io.knabla.functions.autodiff;

import io.knabla.functions.graph.Problem;
import java.util.List;
import java.util.stream.Collectors;

/** A graph cannot be differentiated as asked, for all of these reasons. */
public final class NotDifferentiable extends RuntimeException {
    private final List<Problem> problems;

    public NotDifferentiable(List<Problem> problems) {
        super(problems.stream().map(Problem::toString).collect(Collectors.joining("\n")));
        this.problems = List.copyOf(problems);
    }

    public List<Problem> problems() {
        return problems;
    }
}
