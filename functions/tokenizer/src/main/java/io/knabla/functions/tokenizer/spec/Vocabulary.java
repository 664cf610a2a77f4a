package io.knabla.functions.tokenizer.spec;

/** Tokens of a model, without those added to it. */
public interface Vocabulary {
    /** Id of a token; -1 if it is unknown. */
    int id(String token);
}
