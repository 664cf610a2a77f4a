package io.knabla.functions.tokenizer.decode;

/** Collects the text. */
record Output(StringBuilder text) implements Stage {
    @Override
    public void token(String token) {
        text.append(token);
    }

    @Override
    public void end() {
        // Nothing is held back.
    }
}
