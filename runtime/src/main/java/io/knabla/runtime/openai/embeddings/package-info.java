/**
 * Answers OpenAI's requests for embeddings, and requests for ranks; start at
 * {@link io.knabla.runtime.openai.embeddings.EncoderModel}.
 */
package io.knabla.runtime.openai.embeddings;
