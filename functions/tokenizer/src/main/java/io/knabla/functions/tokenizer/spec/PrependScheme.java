package io.knabla.functions.tokenizer.spec;

/** Where the character for a space is put before a text. */
public enum PrependScheme {
    ALWAYS("always"),
    NEVER("never"),
    /** Only at the beginning of the whole text. */
    FIRST("first");

    private final String label;

    PrependScheme(String label) {
        this.label = label;
    }

    @Override
    public String toString() {
        return label;
    }
}
