package io.knabla.functions.chat.value;

/** What Python calls white space. */
public final class Whitespace {
    private Whitespace() {}

    public static boolean is(int c) {
        return c >= 9 && c <= 13
                || c >= 0x1c && c <= 0x20
                || c == 0x85
                || c == 0xa0
                || c > 0xff && (Character.getType(c) == Character.SPACE_SEPARATOR || c == 0x2028 || c == 0x2029);
    }

    /** The first offset from {@code from} on that is no white space. */
    public static int skip(String text, int from) {
        int to = from;
        while (to < text.length() && is(text.charAt(to))) {
            to++;
        }
        return to;
    }

    /** The length of {@code text} without white space at its end; at least {@code from}. */
    public static int trimmedEnd(String text, int from) {
        int to = text.length();
        while (to > from && is(text.charAt(to - 1))) {
            to--;
        }
        return to;
    }
}
