package io.knabla.controller.cluster.knative.preflight;

/**
 * The result of one check of a cluster.
 *
 * @param cure the command or the deed that puts it right; "" where nothing is to be done
 */
public record Check(String name, Grade grade, String found, String cure) {
    /** Whether Knabla works with what was found. */
    public enum Grade {
        Good,
        /** It works, with less than it could have. */
        Poor,
        Bad
    }
}
