package io.knabla.controller.api;

import io.knabla.controller.errors.ErrorKind;
import io.knabla.controller.errors.Problem;
import io.knabla.functions.Fault;
import java.util.List;

/** Ends a request with a problem response. */
final class ProblemException extends RuntimeException {
    private final transient Problem problem;

    ProblemException(Problem problem) {
        super(problem.detail());
        this.problem = problem;
    }

    ProblemException(int status, String detail) {
        this(Problem.of(status, detail));
    }

    ProblemException(ErrorKind kind, int status, String detail) {
        this(Problem.of(kind, status, detail));
    }

    static ProblemException faults(List<Fault> faults) {
        return new ProblemException(Problem.faults(faults));
    }

    Problem problem() {
        return problem;
    }
}
