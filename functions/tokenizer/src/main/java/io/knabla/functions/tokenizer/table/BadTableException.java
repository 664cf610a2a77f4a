package io.knabla.functions.tokenizer.table;

/** Reports bytes that are not a valid tokenizer table, with the reason. */
public final class BadTableException extends RuntimeException {
    public BadTableException(String what) {
        super("not a tokenizer table: " + what + "; compile it again from its tokenizer.json");
    }
}
