package io.knabla.runtime.openai.embeddings;

import io.knabla.runtime.protocol.JsonWriter;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/** Writes the answers to requests for embeddings and for ranks. */
final class EncoderAnswers {
    private static final int BYTES_PER_NUMBER = 14;
    private static final int BYTES_PER_ITEM = 64;

    private final String model;

    EncoderAnswers(String model) {
        this.model = model;
    }

    /** @param vectors one for each text */
    JsonWriter embeddings(List<float[]> vectors, boolean base64, long tokens) {
        int each = BYTES_PER_ITEM + BYTES_PER_NUMBER * vectors.getFirst().length;
        var json = new JsonWriter(BYTES_PER_ITEM + Math.multiplyExact(vectors.size(), each));
        json.raw("{\"object\":\"list\",\"data\":[");
        for (int i = 0; i < vectors.size(); i++) {
            json.raw(i > 0 ? "," : "")
                    .raw("{\"object\":\"embedding\",\"index\":")
                    .number(i)
                    .raw(",\"embedding\":");
            vector(json, vectors.get(i), base64);
            json.raw("}");
        }
        return usage(json.raw("],"), tokens);
    }

    private static void vector(JsonWriter json, float[] vector, boolean base64) {
        if (base64) {
            ByteBuffer bytes = ByteBuffer.allocate(vector.length * Float.BYTES).order(ByteOrder.LITTLE_ENDIAN);
            bytes.asFloatBuffer().put(vector);
            json.raw("\"" + Base64.getEncoder().encodeToString(bytes.array()) + "\"");
            return;
        }
        json.raw("[");
        for (int i = 0; i < vector.length; i++) {
            json.raw(i > 0 ? "," : "").raw(Float.toString(vector[i]));
        }
        json.raw("]");
    }

    /** @param scores one for each document */
    JsonWriter ranks(RerankRequest request, float[] scores) {
        var json = new JsonWriter(BYTES_PER_ITEM + BYTES_PER_ITEM * request.top()).raw("{\"results\":[");
        List<Integer> order = IntStream.range(0, scores.length)
                .boxed()
                .sorted(Comparator.comparingDouble(index -> -scores[index]))
                .limit(request.top())
                .toList();
        for (int rank = 0; rank < order.size(); rank++) {
            int index = order.get(rank);
            json.raw(rank > 0 ? "," : "").raw("{\"index\":").number(index);
            json.raw(",\"relevance_score\":").raw(Float.toString(scores[index]));
            if (request.returned()) {
                json.raw(",\"document\":{\"text\":")
                        .text(request.documents().get(index))
                        .raw("}");
            }
            json.raw("}");
        }
        return usage(json.raw("],"), RequestLimits.tokens(request.pairs()));
    }

    private JsonWriter usage(JsonWriter json, long tokens) {
        json.raw("\"model\":").text(model).raw(",\"usage\":{\"prompt_tokens\":").number(tokens);
        return json.raw(",\"total_tokens\":").number(tokens).raw("}}");
    }
}
