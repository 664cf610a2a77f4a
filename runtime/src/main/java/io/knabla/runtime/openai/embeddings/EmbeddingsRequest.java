package io.knabla.runtime.openai.embeddings;

import io.knabla.runtime.encoder.EncodedText;
import java.util.List;

/**
 * A request for the vectors of texts.
 *
 * @param texts the tokens of each
 * @param dimensions elements of a vector that are wanted, the first ones
 * @param base64 whether vectors are written as their little-endian 32-bit numbers in base64, not as lists
 */
record EmbeddingsRequest(List<EncodedText> texts, int dimensions, boolean base64) {}
