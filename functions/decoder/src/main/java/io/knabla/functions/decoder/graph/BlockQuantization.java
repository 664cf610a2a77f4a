package io.knabla.functions.decoder.graph;

import java.nio.ByteBuffer;

/**
 * Block-wise quantisation of rows of weights: a block has one scale, by which its integers are multiplied. Layout of
 * ONNX Runtime's MatMulNBits with its default zero point of {@code 2^(bits - 1)}.
 *
 * @param bits of a weight: 4 or 8
 * @param size weights in a block: a power of two of 16 to 256
 */
record BlockQuantization(int bits, int size) {

    /** For rows of {@code width}: the engine refuses blocks that are longer. */
    BlockQuantization within(int width) {
        return new BlockQuantization(bits, Math.min(size, Integer.highestOneBit(width)));
    }

    /** Blocks in a row; the last one may be filled up with zeros. */
    int inRow(int width) {
        return Math.ceilDiv(width, size);
    }

    /** Bytes of the numbers of a row. */
    int rowBytes(int width) {
        return inRow(width) * size * bits / Byte.SIZE;
    }

    /**
     * Factor of the block of {@code row} that starts at {@code from}: its largest weight becomes the largest negative
     * number, of which there is one more than of positive ones.
     */
    float scale(float[] row, int from) {
        float largest = 0;
        for (int i = from; i < Math.min(from + size, row.length); i++) {
            largest = Math.abs(row[i]) > Math.abs(largest) ? row[i] : largest;
        }
        return largest / -zero();
    }

    /**
     * Appends the numbers of the block of {@code row} that starts at {@code from}; of 4 bits, the lower half of a byte
     * first.
     */
    void encode(float[] row, int from, ByteBuffer to) {
        float scale = scale(row, from);
        int step = Byte.SIZE / bits;
        for (int i = from; i < from + size; i += step) {
            int number = rounded(i < row.length ? row[i] : 0, scale);
            if (step == 2) {
                number |= rounded(i + 1 < row.length ? row[i + 1] : 0, scale) << bits;
            }
            to.put((byte) number);
        }
    }

    /** The number that stands for {@code weight}. */
    private int rounded(float weight, float scale) {
        return scale == 0 ? zero() : Math.clamp(Math.round(weight / scale) + zero(), 0, 2 * zero() - 1);
    }

    private int zero() {
        return 1 << (bits - 1);
    }
}
