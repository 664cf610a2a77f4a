package io.knabla.functions.tokenizer;

/**
 * Tokens of one text or of a pair.
 *
 * @param ids ids of the tokens
 * @param typeIds as many numbers: which text each token belongs to, as the model was trained
 */
public record Encoding(int[] ids, int[] typeIds) {}
