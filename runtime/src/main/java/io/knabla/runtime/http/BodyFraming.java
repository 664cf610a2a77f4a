package io.knabla.runtime.http;

/** How a request's body is framed (RFC 9112, section 6): by a length, or in chunks. */
sealed interface BodyFraming {
    /** {@code Content-Length}, or no body: length 0. */
    record Sized(long length) implements BodyFraming {}

    /** {@code Transfer-Encoding: chunked}. */
    record Chunked() implements BodyFraming {}

    static BodyFraming of(HttpRequest request, boolean http11) {
        String encoding = request.header("Transfer-Encoding");
        String length = request.header("Content-Length");
        if (encoding == null) {
            return new Sized(length == null ? 0 : length(request, length));
        }
        if (length != null || !http11 || request.count("Transfer-Encoding") > 1) {
            throw new HttpFault(
                    400, "Transfer-Encoding together with Content-Length, in HTTP/1.0, or twice, is refused");
        }
        if (!encoding.equalsIgnoreCase("chunked")) {
            throw new HttpFault(501, "the only Transfer-Encoding this server reads is chunked");
        }
        return new Chunked();
    }

    private static long length(HttpRequest request, String text) {
        boolean digits = !text.isEmpty() && text.length() <= 18;
        for (int i = 0; digits && i < text.length(); i++) {
            digits = text.charAt(i) >= '0' && text.charAt(i) <= '9';
        }
        if (!digits || request.count("Content-Length") > 1) {
            throw new HttpFault(400, "Content-Length must be there once, in digits");
        }
        return Long.parseLong(text);
    }
}
