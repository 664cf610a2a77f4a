package io.knabla.controller.knative.preflight;

/**
 * Result of one check of a cluster.
 *
 * @param cure the command or action that corrects it; "" if nothing is wrong
 */
public record Check(String name, Grade grade, String found, String cure) {
    /** Grade of a check: whether Knabla works, and how well. */
    public enum Grade {
        Good,
        /** It works with restrictions. */
        Poor,
        Bad
    }
}
