package io.knabla.functions.chat.render;

import io.knabla.functions.chat.value.Value;
import io.knabla.functions.chat.value.Whitespace;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.IntPredicate;

/** Strips, splits, replaces and cases strings as Python's methods of the same names do. */
final class PythonStrings {
    private PythonStrings() {}

    /** Removes characters at one end or both; white space if {@code chars} is null. */
    static String strip(String text, String chars, boolean start, boolean end) {
        IntPredicate removed = chars == null ? Whitespace::is : c -> chars.indexOf(c) >= 0;
        int from = 0;
        int to = text.length();
        while (start && from < to && removed.test(text.codePointAt(from))) {
            from += Character.charCount(text.codePointAt(from));
        }
        while (end && to > from && removed.test(text.codePointBefore(to))) {
            to -= Character.charCount(text.codePointBefore(to));
        }
        return text.substring(from, to);
    }

    static String upper(String text) {
        return text.toUpperCase(Locale.ROOT);
    }

    static String lower(String text) {
        return text.toLowerCase(Locale.ROOT);
    }

    static String capitalize(String text) {
        if (text.isEmpty()) {
            return text;
        }
        int first = text.codePointAt(0);
        return Character.toString(Character.toTitleCase(first)) + lower(text.substring(Character.charCount(first)));
    }

    static String title(String text) {
        var result = new StringBuilder(text.length());
        boolean inWord = false;
        for (int at = 0; at < text.length(); at += Character.charCount(text.codePointAt(at))) {
            int c = text.codePointAt(at);
            result.appendCodePoint(inWord ? Character.toLowerCase(c) : Character.toTitleCase(c));
            inWord = isCased(c);
        }
        return result.toString();
    }

    private static boolean isCased(int c) {
        return Character.isUpperCase(c) || Character.isLowerCase(c) || Character.isTitleCase(c);
    }

    /** Whether it has letters with case, all of them lower case, or all upper case. */
    static boolean isOfCase(String text, boolean upper) {
        return text.codePoints().anyMatch(PythonStrings::isCased)
                && text.codePoints()
                        .noneMatch(c -> isCased(c) && !(upper ? Character.isUpperCase(c) : Character.isLowerCase(c)));
    }

    static boolean isDigits(String text) {
        return !text.isEmpty() && text.codePoints().allMatch(Character::isDigit);
    }

    static int count(String text, String part) {
        if (part.isEmpty()) {
            return text.codePointCount(0, text.length()) + 1;
        }
        int count = 0;
        for (int at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length())) {
            count++;
        }
        return count;
    }

    static long count(String text, IntPredicate counted) {
        return text.chars().filter(counted).count();
    }

    /** Replaces the first {@code most} occurrences; all if it is negative. */
    static String replace(String text, String old, String by, long most) {
        var result = new StringBuilder(text.length());
        long left = most < 0 ? Long.MAX_VALUE : most;
        if (old.isEmpty()) {
            return between(text, by, left);
        }
        int from = 0;
        for (int at = text.indexOf(old); at >= 0 && left > 0; at = text.indexOf(old, from)) {
            result.append(text, from, at).append(by);
            from = at + old.length();
            left--;
        }
        return result.append(text, from, text.length()).toString();
    }

    /** Puts {@code by} before each character and at the end. */
    private static String between(String text, String by, long most) {
        var result = new StringBuilder(text.length());
        long left = most;
        int at = 0;
        while (at < text.length() && left > 0) {
            int c = text.codePointAt(at);
            result.append(by).appendCodePoint(c);
            at += Character.charCount(c);
            left--;
        }
        return result.append(left > 0 ? by : "").append(text, at, text.length()).toString();
    }

    /** Parts between the separators, of which at most {@code most} are looked at; all if it is negative. */
    static List<Value> split(String text, String separator, long most) {
        List<Value> parts = new ArrayList<>();
        int from = 0;
        for (int at = text.indexOf(separator); at >= 0 && parts.size() != most; at = text.indexOf(separator, from)) {
            parts.add(new Value.Text(text.substring(from, at)));
            from = at + separator.length();
        }
        parts.add(new Value.Text(text.substring(from)));
        return parts;
    }

    static List<Value> splitFromEnd(String text, String separator, long most) {
        List<Value> parts = new ArrayList<>();
        int to = text.length();
        for (int at = text.lastIndexOf(separator);
                at >= 0 && parts.size() != most;
                at = text.lastIndexOf(separator, to - separator.length())) {
            parts.addFirst(new Value.Text(text.substring(at + separator.length(), to)));
            to = at;
            if (to < separator.length()) {
                break;
            }
        }
        parts.addFirst(new Value.Text(text.substring(0, to)));
        return parts;
    }

    /** Words between white space. */
    static List<Value> words(String text, long most) {
        List<Value> words = new ArrayList<>();
        int at = Whitespace.skip(text, 0);
        while (at < text.length()) {
            if (words.size() == most) {
                words.add(new Value.Text(text.substring(at, Whitespace.trimmedEnd(text, at))));
                return words;
            }
            int end = at;
            while (end < text.length() && !Whitespace.is(text.charAt(end))) {
                end++;
            }
            words.add(new Value.Text(text.substring(at, end)));
            at = Whitespace.skip(text, end);
        }
        return words;
    }

    static List<String> lines(String text) {
        List<String> lines = new ArrayList<>();
        int from = 0;
        for (int at = 0; at < text.length(); at++) {
            if (isLineEnd(text.charAt(at))) {
                lines.add(text.substring(from, at));
                at += text.startsWith("\r\n", at) ? 1 : 0;
                from = at + 1;
            }
        }
        if (from < text.length()) {
            lines.add(text.substring(from));
        }
        return lines;
    }

    static boolean isLineEnd(int c) {
        return c >= '\n' && c <= '\r' || c >= 0x1c && c <= 0x1e || c == 0x85 || c == 0x2028 || c == 0x2029;
    }
}
