package io.knabla.runtime.serve.http;

/**
 * One answer.
 *
 * @param length how many bytes of {@code body} count
 * @param headers further header lines, each ended by CR LF; never made from what a client sent
 */
public record HttpResponse(int status, String type, String headers, byte[] body, int length) {
    public static final String JSON = "application/json";

    public static HttpResponse json(int status, byte[] body) {
        return new HttpResponse(status, JSON, "", body, body.length);
    }

    public HttpResponse with(String more) {
        return new HttpResponse(status, type, headers + more, body, length);
    }
}
