package io.knabla.runtime.generation.grammar.schema;

import java.util.ArrayList;
import java.util.List;

/**
 * Regular expressions of numbers within bounds. Numbers have at most 15 digits before and 15 after the point, so that
 * integers are exact in a double (RFC 8259, section 6).
 */
final class NumberExpressions {
    static final long MOST = 999_999_999_999_999L;

    private static final String INTEGER = "(0|-?[1-9][0-9]{0,14})";
    private static final String NUMBER = "-?(0|[1-9][0-9]{0,14})(\\.[0-9]{1,15})?([eE][+-]?[0-9]{1,2})?";
    /** Fewer digits, so that no double between two bounds rounds to one of them. */
    private static final String FRACTION = "(\\.[0-9]{1,6})?";

    private static final String POSITIVE_FRACTION = "\\.[0-9]{0,5}[1-9]";

    /**
     * Bounds of a number.
     *
     * @param low -{@value #MOST} or more
     * @param high {@value #MOST} or less
     * @param aboveLow whether low itself is excluded
     * @param belowHigh whether high itself is excluded
     */
    record Interval(long low, long high, boolean aboveLow, boolean belowHigh) {
        Interval mirrored() {
            return new Interval(-high, -low, belowHigh, aboveLow);
        }
    }

    private NumberExpressions() {}

    static String integer() {
        return "^" + INTEGER + "$";
    }

    static String number() {
        return "^" + NUMBER + "$";
    }

    /** Integers from low to high, both included. */
    static String integers(long low, long high) {
        List<String> options = new ArrayList<>();
        if (high >= 0) {
            options.add(natural(Math.max(low, 0), high));
        }
        if (low < 0) {
            options.add("-(" + natural(Math.max(1, -high), -low) + ")");
        }
        return "^(" + String.join("|", options) + ")$";
    }

    /** Numbers of an interval, without exponents. */
    static String numbers(Interval within) {
        List<String> options = new ArrayList<>();
        if (within.high > 0 || within.high == 0 && !within.belowHigh) {
            options.addAll(magnitudes(within));
        }
        if (within.low < 0) {
            List<String> negative = magnitudes(within.mirrored());
            options.add("-(" + String.join("|", negative) + ")");
        }
        return "^(" + String.join("|", options) + ")$";
    }

    /** Those without a sign. */
    private static List<String> magnitudes(Interval within) {
        boolean fromZero = within.low < 0;
        long low = fromZero ? 0 : within.low;
        boolean above = !fromZero && within.aboveLow;
        List<String> options = new ArrayList<>();
        if (low == within.high) {
            if (!above && !within.belowHigh) {
                options.add(Long.toString(low));
            }
            return options;
        }
        options.add(low + (above ? POSITIVE_FRACTION : FRACTION));
        if (low + 1 < within.high) {
            options.add("(" + natural(low + 1, within.high - 1) + ")" + FRACTION);
        }
        if (!within.belowHigh) {
            options.add(Long.toString(within.high));
        }
        return options;
    }

    /** Numbers of 0 or more, low to high. */
    private static String natural(long low, long high) {
        List<String> options = new ArrayList<>();
        long from = low;
        for (long power = 10; from <= high; power *= 10) {
            if (from < power) {
                long to = Math.min(high, power - 1);
                options.add(sameLength(Long.toString(from), Long.toString(to)));
                from = to + 1;
            }
        }
        return String.join("|", options);
    }

    private static String sameLength(String low, String high) {
        if (low.isEmpty()) {
            return "";
        }
        char first = low.charAt(0);
        char last = high.charAt(0);
        if (first == last) {
            return first + sameLength(low.substring(1), high.substring(1));
        }
        List<String> options = new ArrayList<>();
        options.add(first + least(low.substring(1)));
        if (first + 1 < last) {
            options.add("[%c-%c]%s".formatted(first + 1, last - 1, anyDigits(low.length() - 1)));
        }
        options.add(last + most(high.substring(1)));
        return "(" + String.join("|", options) + ")";
    }

    private static String least(String digits) {
        if (digits.isEmpty()) {
            return "";
        }
        char first = digits.charAt(0);
        String same = first + least(digits.substring(1));
        return first == '9' ? same : "(%s|[%c-9]%s)".formatted(same, first + 1, anyDigits(digits.length() - 1));
    }

    private static String most(String digits) {
        if (digits.isEmpty()) {
            return "";
        }
        char first = digits.charAt(0);
        String same = first + most(digits.substring(1));
        return first == '0' ? same : "(%s|[0-%c]%s)".formatted(same, first - 1, anyDigits(digits.length() - 1));
    }

    private static String anyDigits(int count) {
        return count == 0 ? "" : "[0-9]{%d}".formatted(count);
    }
}
