package io.knabla.runtime.openai.embeddings;

import java.util.Arrays;

/** Finishes the vectors that an encoder gives. */
final class Vectors {
    /** As PyTorch's normalize: a vector of zeros stays one. */
    private static final double SMALLEST_LENGTH = 1e-12;

    private Vectors() {}

    /**
     * The first elements of a vector; a shortened vector has length 1 again, as OpenAI's have.
     *
     * @param normalized whether to divide by the length
     */
    static float[] finished(float[] row, int dimensions, boolean normalized) {
        float[] vector = Arrays.copyOf(row, dimensions);
        if (normalized) {
            double square = 0;
            for (float element : vector) {
                square += (double) element * element;
            }
            double length = Math.max(Math.sqrt(square), SMALLEST_LENGTH);
            for (int i = 0; i < vector.length; i++) {
                vector[i] = (float) (vector[i] / length);
            }
        }
        return vector;
    }
}
