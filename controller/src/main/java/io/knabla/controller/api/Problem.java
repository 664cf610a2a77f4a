package io.knabla.controller.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.knabla.controller.docs.ErrorKind;
import io.knabla.functions.Fault;
import jakarta.ws.rs.core.Response;
import java.util.List;

/**
 * The body of every error response, as {@code application/problem+json} (RFC 9457).
 *
 * @param type address of the page that explains this kind of error
 * @param detail what, where, what to do
 * @param faults all faults of the input
 * @param missing digests of model files to upload first
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Problem(String type, String title, int status, String detail, List<Fault> faults, List<String> missing) {
    static final String TYPE = "application/problem+json";

    static Problem of(int status, String detail) {
        return of(ErrorKind.of(status), status, detail);
    }

    static Problem of(ErrorKind kind, int status, String detail) {
        return new Problem(kind.type(), title(status), status, detail, null, null);
    }

    static Problem faults(List<Fault> faults) {
        String detail = faults.size() == 1
                ? faults.getFirst().toString()
                : "%d things are wrong, the first is: %s".formatted(faults.size(), faults.getFirst());
        return new Problem(ErrorKind.INVALID_INPUT.type(), title(400), 400, detail, List.copyOf(faults), null);
    }

    static Problem missing(List<String> digests) {
        return new Problem(
                ErrorKind.MODEL_MISSING.type(),
                "Model missing",
                409,
                "upload the missing files with PUT /api/v1/models/{digest}, then send this again",
                null,
                List.copyOf(digests));
    }

    Response.ResponseBuilder response() {
        return Response.status(status).type(TYPE).entity(this);
    }

    private static String title(int status) {
        Response.Status known = Response.Status.fromStatusCode(status);
        return switch (status) {
            case 507 -> "Insufficient Storage";
            default -> known == null ? "Error" : known.getReasonPhrase();
        };
    }
}
