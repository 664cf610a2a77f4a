package io.knabla.runtime.openai.embeddings;

import io.knabla.runtime.encoder.EncodedText;
import java.util.List;

/**
 * A request for the order of documents by how well they answer a query.
 *
 * @param pairs the tokens of the query with each document
 * @param top documents that are wanted
 * @param returned whether the answer repeats the documents' texts
 */
record RerankRequest(List<EncodedText> pairs, List<String> documents, int top, boolean returned) {}
