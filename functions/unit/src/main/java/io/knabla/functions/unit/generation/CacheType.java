package io.knabla.functions.unit.generation;

import io.knabla.functions.unit.Checks;

/** Number type of a decoder's key/value cache. */
public enum CacheType {
    /** Floating-point numbers of 32 bits. */
    FLOAT32(Float.SIZE),
    /** Whole numbers of 8 bits, with one scale for each element of a head's key and value in each layer. */
    INT8(Byte.SIZE);

    private final int bits;

    CacheType(int bits) {
        this.bits = bits;
    }

    /** Of one number. */
    public int bits() {
        return bits;
    }

    /** Of one number. */
    public int bytes() {
        return bits / Byte.SIZE;
    }

    static CacheType of(int bits) {
        Checks.that(
                bits == FLOAT32.bits || bits == INT8.bits,
                "kvCache.bits is %d, must be %d or %d",
                bits,
                INT8.bits,
                FLOAT32.bits);
        return bits == INT8.bits ? INT8 : FLOAT32;
    }
}
