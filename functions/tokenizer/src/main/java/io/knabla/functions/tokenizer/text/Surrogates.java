package io.knabla.functions.tokenizer.text;

/** Makes texts well-formed. */
public final class Surrogates {
    private Surrogates() {}

    /** The text with U+FFFD in place of each lone surrogate, which has no form in UTF-8. */
    public static String repair(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (isLone(text, i)) {
                return repairFrom(text, i);
            }
        }
        return text;
    }

    private static String repairFrom(String text, int first) {
        char[] chars = text.toCharArray();
        for (int i = first; i < chars.length; i++) {
            if (isLone(text, i)) {
                chars[i] = '\ufffd';
            }
        }
        return new String(chars);
    }

    private static boolean isLone(String text, int i) {
        char c = text.charAt(i);
        if (!Character.isSurrogate(c)) {
            return false;
        }
        return Character.isHighSurrogate(c)
                ? i + 1 == text.length() || !Character.isLowSurrogate(text.charAt(i + 1))
                : i == 0 || !Character.isHighSurrogate(text.charAt(i - 1));
    }
}
