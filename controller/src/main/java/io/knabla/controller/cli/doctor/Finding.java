package io.knabla.controller.cli.doctor;

/**
 * The result of one check.
 *
 * @param fix what to do; "" where nothing is to be done
 */
public record Finding(String check, Grade grade, String found, String fix) {
    /** Whether Knabla works with what was found. */
    public enum Grade {
        good,
        poor,
        bad
    }

    static Finding good(String check, String found) {
        return new Finding(check, Grade.good, found, "");
    }

    static Finding poor(String check, String found, String fix) {
        return new Finding(check, Grade.poor, found, fix);
    }

    static Finding bad(String check, String found, String fix) {
        return new Finding(check, Grade.bad, found, fix);
    }
}
