package io.knabla.runtime.http;

/**
 * One response.
 *
 * @param type media type; null for none
 * @param length number of valid bytes in {@code body}
 * @param headers further header lines, each ended by CR LF; must never contain data from the client
 */
public record HttpResponse(int status, String type, String headers, byte[] body, int length) {
    public static final String JSON = "application/json";

    public static HttpResponse json(int status, byte[] body) {
        return new HttpResponse(status, JSON, "", body, body.length);
    }

    public HttpResponse withHeaders(String more) {
        return new HttpResponse(status, type, headers + more, body, length);
    }
}
