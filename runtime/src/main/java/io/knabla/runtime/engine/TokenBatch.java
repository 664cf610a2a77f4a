package io.knabla.runtime.engine;

/**
 * Texts of tokens for one run of an encoder, filled up to the longest.
 *
 * @param ids [texts, tokens of the longest]
 * @param types as many
 * @param lengths of the texts, [texts]
 * @param leftOut first tokens of each text that do not count for its vector, [texts]
 */
public record TokenBatch(long[] ids, long[] types, int[] lengths, int[] leftOut) {
    int texts() {
        return lengths.length;
    }

    int longest() {
        return ids.length / lengths.length;
    }
}
