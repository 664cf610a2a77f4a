package io.knabla.controller.cli.print;

import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Locale;

/** Formats durations, byte counts and other numbers for people. */
public final class Amounts {
    private Amounts() {}

    /** As in {@code 42s}, {@code 5m}, {@code 3h}, {@code 12d}. */
    public static String age(Duration age) {
        long seconds = Math.max(0, age.toSeconds());
        if (seconds < 120) {
            return seconds + "s";
        }
        if (seconds < 2 * 3600) {
            return seconds / 60 + "m";
        }
        return seconds < 2 * 86_400 ? seconds / 3600 + "h" : seconds / 86_400 + "d";
    }

    /** The age of an ISO-8601 timestamp, or {@code -} if it is none. */
    public static String age(String moment, Instant now) {
        try {
            return age(Duration.between(Instant.parse(moment), now));
        } catch (DateTimeParseException absent) {
            return "-";
        }
    }

    public static String bytes(long bytes) {
        String[] units = {"B", "KiB", "MiB", "GiB", "TiB"};
        double value = bytes;
        int unit = 0;
        while (value >= 1024 && unit < units.length - 1) {
            value /= 1024;
            unit++;
        }
        return unit == 0 ? bytes + " B" : "%.1f %s".formatted(value, units[unit]);
    }

    /** As in {@code 1.23 M}; for FLOPs and counts. */
    public static String count(double number) {
        String[] units = {"", " k", " M", " G", " T"};
        int unit = 0;
        while (Math.abs(number) >= 1000 && unit < units.length - 1) {
            number /= 1000;
            unit++;
        }
        return unit == 0 ? "%.0f".formatted(number) : String.format(Locale.ROOT, "%.2f%s", number, units[unit]);
    }

    public static String millis(double millis) {
        String form = millis < 0.1 ? "%.3f ms" : millis < 10 ? "%.1f ms" : "%.0f ms";
        return String.format(Locale.ROOT, form, millis);
    }
}
