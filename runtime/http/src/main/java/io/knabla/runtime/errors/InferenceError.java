package io.knabla.runtime.errors;

import io.knabla.runtime.http.HttpResponse;

/** Writes errors of the Open Inference Protocol and of KServe's V1 protocol: {@code {"error": SENTENCE}}. */
public final class InferenceError {
    private InferenceError() {}

    public static HttpResponse of(int status, String sentence) {
        return HttpResponse.json(
                status, new JsonText("{\"error\":").quote(sentence).raw("}").bytes());
    }

    /** @param type address of the page that explains the error, as in problem+json */
    public static HttpResponse of(int status, String sentence, String type) {
        return HttpResponse.json(
                status,
                new JsonText("{\"error\":")
                        .quote(sentence)
                        .raw(",\"type\":")
                        .quote(type)
                        .raw("}")
                        .bytes());
    }
}
