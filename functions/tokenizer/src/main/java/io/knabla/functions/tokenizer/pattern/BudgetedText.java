package io.knabla.functions.tokenizer.pattern;

/** Text that may be read only so often: {@code java.util.regex} itself bounds nothing. */
final class BudgetedText implements CharSequence {
    /** Real expressions read a character up to about 30 times. */
    private static final long READS_PER_CHARACTER = 512;

    private static final long READS_AT_LEAST = 1 << 16;

    private final CharSequence text;
    private final int characters;
    private long left;

    BudgetedText(CharSequence text, int characters) {
        this.text = text;
        this.characters = characters;
        left = READS_AT_LEAST + READS_PER_CHARACTER * characters;
    }

    @Override
    public int length() {
        return text.length();
    }

    @Override
    public char charAt(int index) {
        if (--left < 0) {
            throw new TooMuchWorkException(characters);
        }
        return text.charAt(index);
    }

    @Override
    public CharSequence subSequence(int start, int end) {
        return text.subSequence(start, end);
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
