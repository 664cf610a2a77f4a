package io.knabla.functions.unit.generation;

import io.knabla.functions.unit.Checks;

/**
 * Sizes of a decoder that its graph's inputs and outputs have.
 *
 * @param kvHeads heads that keys and values have in each layer
 * @param headWidth numbers of a key and of a value in each head
 * @param vocabulary number of logits
 * @param cache what keys and values are kept in
 */
public record DecoderShape(int layers, int kvHeads, int headWidth, int vocabulary, CacheType cache) {
    public DecoderShape {
        Checks.that(layers >= 1, "layers is %d, must be 1 or more", layers);
        Checks.that(kvHeads >= 1, "kvHeads is %d, must be 1 or more", kvHeads);
        Checks.that(headWidth >= 1, "headWidth is %d, must be 1 or more", headWidth);
        Checks.that(vocabulary >= 1, "vocabulary is %d, must be 1 or more", vocabulary);
    }

    /** Of a decoder whose keys and values are 32-bit numbers. */
    public DecoderShape(int layers, int kvHeads, int headWidth, int vocabulary) {
        this(layers, kvHeads, headWidth, vocabulary, CacheType.FLOAT32);
    }

    /** The same decoder with keys and values in other numbers. */
    public DecoderShape with(CacheType other) {
        return new DecoderShape(layers, kvHeads, headWidth, vocabulary, other);
    }

    /** Bytes of keys and values of one token in all layers. */
    public long bytesPerToken() {
        return 2L * layers * kvHeads * headWidth * cache.bytes();
    }
}
