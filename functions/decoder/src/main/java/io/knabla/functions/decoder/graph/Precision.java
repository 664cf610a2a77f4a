package io.knabla.functions.decoder.graph;

import java.util.Optional;

/** Form of a packaged decoder's matrices. */
public sealed interface Precision {

    /** 32-bit floating point. */
    record Float32() implements Precision {}

    /** Whole numbers of 8 bits, one factor for each block of a row. */
    record Int8(int blockSize) implements Precision {}

    /** Whole numbers of 4 bits, one factor for each block of a row. */
    record Int4(int blockSize) implements Precision {}

    /** How weights are rounded; empty if they are not. */
    default Optional<BlockQuantization> blocks() {
        return switch (this) {
            case Float32 _ -> Optional.empty();
            case Int8(int size) -> Optional.of(new BlockQuantization(Byte.SIZE, size));
            case Int4(int size) -> Optional.of(new BlockQuantization(Byte.SIZE / 2, size));
        };
    }

    /** Average bits that one weight of a matrix takes, with its part of a factor. */
    default double bitsPerWeight() {
        return blocks().map(blocks -> blocks.bits() + (double) Float.SIZE / blocks.size())
                .orElse((double) Float.SIZE);
    }
}
