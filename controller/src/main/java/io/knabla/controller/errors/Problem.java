package io.knabla.controller.errors;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.knabla.functions.Fault;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.util.List;

/**
 * The body of every error response of the control API, as {@code application/problem+json} (RFC 9457). A field that is
 * null is left out.
 *
 * @param type address of the page that explains this kind of error
 * @param detail what, where, what to do
 * @param error the same as {@code detail}, for clients of the inference protocol
 * @param faults all faults of the input
 * @param missing digests of model files to upload first
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Problem(
        String type, String title, int status, String detail, String error, List<Fault> faults, List<String> missing) {
    public static final String MEDIA_TYPE = "application/problem+json";

    private static final ObjectWriter WRITER = new JsonMapper().writerFor(Problem.class);

    public static Problem of(int status, String detail) {
        return of(ErrorKind.of(status), status, detail);
    }

    public static Problem of(ErrorKind kind, int status, String detail) {
        return new Problem(kind.type(), title(status), status, detail, null, null, null);
    }

    public static Problem faults(List<Fault> faults) {
        String detail = faults.size() == 1
                ? faults.getFirst().toString()
                : "%d things are wrong, the first is: %s".formatted(faults.size(), faults.getFirst());
        return new Problem(ErrorKind.INVALID_INPUT.type(), title(400), 400, detail, null, List.copyOf(faults), null);
    }

    public static Problem missing(List<String> digests) {
        return new Problem(
                ErrorKind.MODEL_MISSING.type(),
                "Model missing",
                409,
                "upload the missing files with PUT /api/v1/models/{digest}, then send this again",
                null,
                null,
                List.copyOf(digests));
    }

    /** Its sentence as {@code error}, too. */
    public Problem forInference() {
        return new Problem(type, title, status, detail, detail, faults, missing);
    }

    private static String title(int status) {
        return HttpResponseStatus.valueOf(status).reasonPhrase();
    }

    public byte[] json() {
        try {
            return WRITER.writeValueAsBytes(this);
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException("a problem cannot be written as JSON: " + this, impossible);
        }
    }
}
