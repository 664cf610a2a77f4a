package io.knabla.functions.tokenizer.text;

/** Classes of characters (code points), as the tokenizers of Hugging Face draw them. */
final class Characters {
    private static final int WHITE =
            1 << Character.SPACE_SEPARATOR | 1 << Character.LINE_SEPARATOR | 1 << Character.PARAGRAPH_SEPARATOR;
    private static final int NUMBER =
            1 << Character.DECIMAL_DIGIT_NUMBER | 1 << Character.LETTER_NUMBER | 1 << Character.OTHER_NUMBER;
    private static final int MARK =
            1 << Character.NON_SPACING_MARK | 1 << Character.ENCLOSING_MARK | 1 << Character.COMBINING_SPACING_MARK;
    private static final int WORD_MARK =
            MARK | 1 << Character.DECIMAL_DIGIT_NUMBER | 1 << Character.CONNECTOR_PUNCTUATION;
    private static final int PUNCTUATION = 1 << Character.CONNECTOR_PUNCTUATION
            | 1 << Character.DASH_PUNCTUATION
            | 1 << Character.START_PUNCTUATION
            | 1 << Character.END_PUNCTUATION
            | 1 << Character.INITIAL_QUOTE_PUNCTUATION
            | 1 << Character.FINAL_QUOTE_PUNCTUATION
            | 1 << Character.OTHER_PUNCTUATION;
    private static final int OTHER =
            1 << Character.CONTROL | 1 << Character.FORMAT | 1 << Character.PRIVATE_USE | 1 << Character.SURROGATE;

    /** These were of other categories in Unicode 8. */
    private static final int TAGALOG_PAMUDPOD = 0x1734;

    private static final int AHOM_MEDIAL_RA = 0x1171e;
    private static final int CANADIAN_SYLLABICS_CHI = 0x166d;
    private static final int SHARADA_SANDHI_MARK = 0x111c9;

    private Characters() {}

    private static boolean is(int c, int types) {
        return (types >> Character.getType(c) & 1) != 0;
    }

    /** Property White_Space. */
    static boolean isWhite(int c) {
        return c < 0x80 ? c == ' ' || c >= '\t' && c <= '\r' : c == 0x85 || is(c, WHITE);
    }

    /** Categories Nd, Nl and No. */
    static boolean isNumeric(int c) {
        return is(c, NUMBER);
    }

    /** Categories Mn, Mc and Me. */
    static boolean isMark(int c) {
        return is(c, MARK);
    }

    /** Category Mn of Unicode 8. */
    static boolean isNonspacingMark(int c) {
        return Character.getType(c) == Character.NON_SPACING_MARK
                ? !RecategorizedCharacters.isMark(c)
                : c == TAGALOG_PAMUDPOD || c == AHOM_MEDIAL_RA;
    }

    /** ASCII punctuation, which includes symbols, and categories P of Unicode 8. */
    static boolean isPunctuation(int c) {
        if (c < 0x80) {
            return c > ' ' && c < 0x7f && !Character.isLetterOrDigit(c);
        }
        return is(c, PUNCTUATION)
                ? !RecategorizedCharacters.isPunctuation(c)
                : c == CANADIAN_SYLLABICS_CHI || c == SHARADA_SANDHI_MARK;
    }

    /** Categories Cc, Cf, Co and Cs of Unicode 8. */
    static boolean isOther(int c) {
        return is(c, OTHER) && !RecategorizedCharacters.isOther(c);
    }

    /** Word characters of Unicode's UTS #18. */
    static boolean isWord(int c) {
        return Character.isAlphabetic(c) || is(c, WORD_MARK) || c == 0x200c || c == 0x200d;
    }

    /** Blocks that BERT calls Chinese; one of them begins late, as in the original. */
    static boolean isChinese(int c) {
        return c >= 0x4e00 && c <= 0x9fff
                || c >= 0x3400 && c <= 0x4dbf
                || c >= 0x20000 && c <= 0x2a6df
                || c >= 0x2a700 && c <= 0x2b73f
                || c >= 0x2b740 && c <= 0x2b81f
                || c >= 0x2b920 && c <= 0x2ceaf
                || c >= 0xf900 && c <= 0xfaff
                || c >= 0x2f800 && c <= 0x2fa1f;
    }
}
