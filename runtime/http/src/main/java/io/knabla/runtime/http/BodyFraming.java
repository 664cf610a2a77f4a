package io.knabla.runtime.http;

/** How a message's body is framed (RFC 9112, section 6). */
sealed interface BodyFraming {
    /** {@code Content-Length}, or no body: length 0. */
    record Sized(long length) implements BodyFraming {}

    /** {@code Transfer-Encoding: chunked}. */
    record Chunked() implements BodyFraming {}

    /** The body of a response that ends with its connection. */
    record UntilClose() implements BodyFraming {}

    BodyFraming NONE = new Sized(0);

    /** Rejects everything that another parser could frame differently. */
    static BodyFraming of(HttpRequest request) {
        HttpHeaders headers = request.headers();
        String encoding = headers.get("Transfer-Encoding");
        String length = headers.get("Content-Length");
        if (encoding == null) {
            return length == null ? NONE : new Sized(length(headers, length));
        }
        if (length != null || !request.http11() || headers.count("Transfer-Encoding") > 1) {
            throw new HttpFault(
                    400, "Transfer-Encoding together with Content-Length, in HTTP/1.0, or twice, is refused");
        }
        if (!encoding.equalsIgnoreCase("chunked")) {
            throw new HttpFault(501, "the only Transfer-Encoding this server reads is chunked");
        }
        return new Chunked();
    }

    /** @param headOnly whether the request was HEAD */
    static BodyFraming of(ResponseHead response, boolean headOnly) {
        int status = response.status();
        if (headOnly || status < 200 || status == 204 || status == 304) {
            return NONE;
        }
        HttpHeaders headers = response.headers();
        String encoding = headers.get("Transfer-Encoding");
        String length = headers.get("Content-Length");
        if (encoding == null) {
            return length == null ? new UntilClose() : new Sized(length(headers, length));
        }
        if (length != null || !encoding.equalsIgnoreCase("chunked")) {
            throw new HttpFault(502, "the response is framed in a way that this client does not read");
        }
        return new Chunked();
    }

    private static long length(HttpHeaders headers, String text) {
        boolean digits = !text.isEmpty() && text.length() <= 18;
        for (int i = 0; digits && i < text.length(); i++) {
            digits = text.charAt(i) >= '0' && text.charAt(i) <= '9';
        }
        if (!digits || headers.count("Content-Length") > 1) {
            throw new HttpFault(400, "Content-Length must be there once, in digits");
        }
        return Long.parseLong(text);
    }
}
