package io.knabla.functions.tokenizer.decode;

/** One step of a decoder: receives tokens and passes on what is certain. */
interface Stage {
    void token(String token);

    /** Passes on what was held back; no token follows. */
    void end();
}
