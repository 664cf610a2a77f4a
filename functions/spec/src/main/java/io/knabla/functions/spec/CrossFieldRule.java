package io.knabla.functions.spec;

import io.knabla.functions.Fault;
import java.util.List;
import java.util.Optional;

/**
 * One rule about several fields of a spec, written in Java and in CEL, with one error message for both. The reader of
 * function.yaml checks it in Java, the API server in CEL; each field is also checked alone.
 *
 * @param with the other field; the reader skips the rule if either field is itself invalid
 * @param broken the check in Java
 * @param validation path, CEL rule and sentence
 */
record CrossFieldRule(String with, Check broken, Validation validation) {

    /** Finds the values for the sentence, in its order, in a spec that breaks the rule; empty if the rule holds. */
    @FunctionalInterface
    interface Check {
        Optional<Object[]> values(FunctionSpec spec, Findings findings);
    }

    /** A rule about the whole spec; {@code cel} and {@code values} as in {@link Validation}. */
    static CrossFieldRule spec(String path, String with, String sentence, Check broken, String cel, String... values) {
        return within("spec", path, with, sentence, broken, cel, values);
    }

    static CrossFieldRule within(
            String scope, String path, String with, String sentence, Check broken, String cel, String... values) {
        return new CrossFieldRule(with, broken, new Validation(scope, path, cel, sentence, List.of(values)));
    }

    static Optional<Object[]> when(boolean wrong, Object... values) {
        return wrong ? Optional.of(values) : Optional.empty();
    }

    String path() {
        return validation.path();
    }

    Optional<Fault> fault(FunctionSpec spec, Findings findings) {
        if (findings.isFaulty(path()) || findings.isFaulty(with)) {
            return Optional.empty();
        }
        return broken.values(spec, findings)
                .map(values -> new Fault(path(), validation.sentence().formatted(values)));
    }
}
