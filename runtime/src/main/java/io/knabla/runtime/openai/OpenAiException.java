package io.knabla.runtime.openai;

import io.knabla.runtime.errors.OpenAiError;
import io.knabla.runtime.http.HttpResponse;
import java.time.Duration;
import java.util.Optional;

/** A request is refused or failed, as OpenAI's error object says. */
public final class OpenAiException extends RuntimeException {
    private final int status;
    private final transient Optional<String> param;
    private final transient Optional<String> code;
    private final transient Optional<Duration> retryAfter;

    private OpenAiException(
            int status, String sentence, Optional<String> param, Optional<String> code, Optional<Duration> retryAfter) {
        super(sentence, null, false, false);
        this.status = status;
        this.param = param;
        this.code = code;
        this.retryAfter = retryAfter;
    }

    /** 400 for the request as a whole. */
    public static OpenAiException bad(String sentence) {
        return new OpenAiException(400, sentence, Optional.empty(), Optional.empty(), Optional.empty());
    }

    /** 400 for one field. */
    public static OpenAiException bad(String param, String sentence) {
        return new OpenAiException(400, sentence, Optional.of(param), Optional.empty(), Optional.empty());
    }

    /** @param param field with the prompt */
    public static OpenAiException tooLong(String param, String sentence) {
        return new OpenAiException(
                400, sentence, Optional.of(param), Optional.of("context_length_exceeded"), Optional.empty());
    }

    public static OpenAiException unknownModel(String sentence) {
        return new OpenAiException(
                404, sentence, Optional.of("model"), Optional.of("model_not_found"), Optional.empty());
    }

    /** 429 or 503: a repeated request may succeed. */
    public static OpenAiException later(int status, String sentence, Duration retryAfter) {
        return new OpenAiException(status, sentence, Optional.empty(), Optional.empty(), Optional.of(retryAfter));
    }

    /** Of another status. */
    public static OpenAiException failed(int status, String sentence) {
        return new OpenAiException(status, sentence, Optional.empty(), Optional.empty(), Optional.empty());
    }

    int status() {
        return status;
    }

    OpenAiError error() {
        return new OpenAiError(status, getMessage(), param, code);
    }

    /** @param headers complete header lines */
    HttpResponse response(String headers) {
        String retry = retryAfter
                .map(time -> "Retry-After: " + Math.max(1, time.toSeconds()) + "\r\n")
                .orElse("");
        return error().response().withHeaders(headers + retry);
    }
}
