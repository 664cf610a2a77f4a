package io.knabla.controller.cli.doctor;

import io.knabla.storage.Checkup;

/**
 * The result of one check.
 *
 * @param fix what to do; "" if nothing
 */
public record Finding(String check, Grade grade, String found, String fix) {
    /** Grade of a finding: whether Knabla works with it. */
    public enum Grade {
        good,
        poor,
        bad
    }

    /** Converts the result of a store check. */
    public static Finding of(String check, Checkup.Answer answer) {
        Grade grade = switch (answer.grade()) {
            case GOOD -> Grade.good;
            case POOR -> Grade.poor;
            case BAD -> Grade.bad;
        };
        return new Finding(check, grade, answer.found(), answer.fix());
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
