package io.knabla.runtime.protocol;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;

/**
 * Parses JSON numbers, correctly rounded. Uses Clinger's fast path (a 53-bit integer divided by an exact power of ten)
 * where it is exact, else {@link Double#parseDouble}.
 */
final class JsonNumbers {
    private static final double[] POWERS = {
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
        1e20, 1e21, 1e22
    };
    private static final int MAX_LENGTH = 1000;
    private static final int HALF_FLOAT_STEP = 1 << 28;
    private static final int BELOW_FLOAT = (1 << 29) - 1;

    private JsonNumbers() {}

    /** Reads one number and advances the scanner past it. */
    static double readDouble(JsonScanner scanner) {
        return read(scanner, false);
    }

    /** Reads one number, rounded once from decimal to float: no double rounding. */
    static float readFloat(JsonScanner scanner) {
        return (float) read(scanner, true);
    }

    private static double read(JsonScanner scanner, boolean single) {
        scanner.peek();
        byte[] bytes = scanner.bytes();
        int start = scanner.position();
        int end = scanner.end();
        int at = start;
        boolean negative = at < end && bytes[at] == '-';
        if (negative) {
            at++;
        }
        int first = at;
        long digits = 0;
        int exponent = 0;
        byte b;
        while (at < end && (b = bytes[at]) >= '0' && b <= '9') {
            digits = digits * 10 + (b - '0');
            at++;
        }
        int count = at - first;
        if (at < end && bytes[at] == '.') {
            int fraction = ++at;
            while (at < end && (b = bytes[at]) >= '0' && b <= '9') {
                digits = digits * 10 + (b - '0');
                at++;
            }
            exponent = fraction - at;
            count -= exponent;
        }
        boolean plain = at < end
                && ends(bytes[at])
                && count <= 18
                && at - first > 0
                && bytes[at - 1] != '.'
                && bytes[first] != '.'
                && !(bytes[first] == '0' && at - first > 1 && bytes[first + 1] != '.');
        if (plain && digits < 1L << 53 && exponent >= -22) {
            double value = digits / POWERS[-exponent];
            if (!single || safeFloat(value)) {
                scanner.seek(at);
                return negative ? -value : value;
            }
        }
        return slow(scanner, start, single);
    }

    private static boolean ends(byte b) {
        return b == ',' || b == ']' || b == ' ' || b == '}' || b == '\n' || b == '\r' || b == '\t';
    }

    /**
     * Whether rounding this double to float gives the same result as rounding the decimal. Values of the fast path are
     * 0 or at least 1e-22, so no subnormal floats occur.
     */
    private static boolean safeFloat(double value) {
        return (Double.doubleToRawLongBits(value) & BELOW_FLOAT) != HALF_FLOAT_STEP;
    }

    private static double slow(JsonScanner scanner, int start, boolean single) {
        double special = nonFinite(scanner);
        if (special != 0) {
            return special;
        }
        String text = text(scanner, start);
        double value = single ? Float.parseFloat(text) : Double.parseDouble(text);
        if (Double.isInfinite(value)) {
            throw scanner.wrong("the number %s at byte %d is too large for its datatype", cut(text), start);
        }
        return value;
    }

    /**
     * Takes a value that JSON's grammar lacks: {@code NaN}, {@code Infinity} or {@code -Infinity}, as Python writes
     * them, the same in quotes, as ProtoJSON and our responses do, or {@code null} for NaN, as KServe's client writes
     * it; 0 if something else follows.
     */
    private static double nonFinite(JsonScanner scanner) {
        int start = scanner.position();
        boolean quoted = scanner.take('"');
        double value = 0;
        if (scanner.takeLiteral("NaN") || !quoted && scanner.takeLiteral("null")) {
            value = Double.NaN;
        } else if (scanner.takeLiteral("Infinity")) {
            value = Double.POSITIVE_INFINITY;
        } else if (scanner.takeLiteral("-Infinity")) {
            value = Double.NEGATIVE_INFINITY;
        }
        if (quoted && (value == 0 || !scanner.take('"'))) {
            scanner.seek(start);
            throw scanner.unexpected("a number, or NaN, Infinity or -Infinity");
        }
        return value;
    }

    private static String text(JsonScanner scanner, int start) {
        int stop = end(scanner.bytes(), start, scanner.end(), scanner);
        if (stop - start > MAX_LENGTH) {
            throw scanner.wrong("a number at byte %d has more than %d characters", start, MAX_LENGTH);
        }
        scanner.seek(stop);
        return new String(scanner.bytes(), start, stop - start, StandardCharsets.ISO_8859_1);
    }

    /** Reads an integer of {@code bits} bits; rejects fractions and values out of range. */
    static long readInteger(JsonScanner scanner, int bits, boolean signed) {
        scanner.peek();
        byte[] bytes = scanner.bytes();
        int start = scanner.position();
        int end = scanner.end();
        int at = start;
        boolean negative = at < end && bytes[at] == '-';
        if (negative) {
            at++;
        }
        int first = at;
        long value = 0;
        byte b;
        while (at < end && (b = bytes[at]) >= '0' && b <= '9') {
            value = value * 10 + (b - '0');
            at++;
        }
        int count = at - first;
        boolean plain = count > 0 && count <= 18 && !(count > 1 && bytes[first] == '0') && at < end && ends(bytes[at]);
        if (!plain) {
            return slowInteger(scanner, start, bits, signed);
        }
        long result = negative ? -value : value;
        long max = bits == 64 ? Long.MAX_VALUE : (1L << (signed ? bits - 1 : bits)) - 1;
        long min = signed ? -max - 1 : 0;
        if (result < min || result > max) {
            throw outOfRange(scanner, Long.toString(result), start, bits, signed);
        }
        scanner.seek(at);
        return result;
    }

    private static long slowInteger(JsonScanner scanner, int start, int bits, boolean signed) {
        String text = text(scanner, start);
        if (text.contains(".") || text.contains("e") || text.contains("E")) {
            throw scanner.wrong(
                    "%s at byte %d is no integer; write it without fraction and exponent", cut(text), start);
        }
        BigInteger value = new BigInteger(text);
        boolean fits = signed ? value.bitLength() < bits : value.signum() >= 0 && value.bitLength() <= bits;
        if (!fits) {
            throw outOfRange(scanner, text, start, bits, signed);
        }
        return value.longValue();
    }

    private static ProtocolException outOfRange(JsonScanner scanner, String text, int at, int bits, boolean signed) {
        String type = bits == 1 ? "BOOL, which is true, false, 1 or 0" : (signed ? "INT" : "UINT") + bits;
        return scanner.wrong("%s at byte %d does not fit %s", cut(text), at, type);
    }

    private static String cut(String text) {
        return text.length() <= 40 ? text : text.substring(0, 40) + "…";
    }

    /** Returns the end of the number that starts at {@code from}; strict about JSON's grammar. */
    static int end(byte[] bytes, int from, int end, JsonScanner scanner) {
        int at = from;
        if (at < end && bytes[at] == '-') {
            at++;
        }
        int integer = at;
        at = digits(bytes, at, end);
        if (at == integer || (bytes[integer] == '0' && at - integer > 1)) {
            scanner.seek(Math.min(at == integer ? from : integer, end));
            throw scanner.unexpected("a number");
        }
        if (at < end && bytes[at] == '.') {
            at = someDigits(bytes, at + 1, end, scanner);
        }
        if (at < end && (bytes[at] == 'e' || bytes[at] == 'E')) {
            at++;
            if (at < end && (bytes[at] == '+' || bytes[at] == '-')) {
                at++;
            }
            at = someDigits(bytes, at, end, scanner);
        }
        return at;
    }

    private static int someDigits(byte[] bytes, int from, int end, JsonScanner scanner) {
        int at = digits(bytes, from, end);
        if (at == from) {
            scanner.seek(from);
            throw scanner.unexpected("a digit");
        }
        return at;
    }

    private static int digits(byte[] bytes, int from, int end) {
        int at = from;
        while (at < end && bytes[at] >= '0' && bytes[at] <= '9') {
            at++;
        }
        return at;
    }
}
