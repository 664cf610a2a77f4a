package io.knabla.functions.tokenizer.spec;

/**
 * A token that is found in a text before the model sees it.
 *
 * @param special whether decoding may leave it out
 * @param leftStrip whether it takes the white space before it
 * @param rightStrip whether it takes the white space after it
 * @param singleWord whether it must not touch word characters
 * @param normalized whether it is searched in the normalized text
 */
public record AddedToken(
        int id,
        String content,
        boolean special,
        boolean leftStrip,
        boolean rightStrip,
        boolean singleWord,
        boolean normalized) {}
