package io.knabla.runtime.http;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;

/** Writes responses to a connection; small ones in a single write. */
final class HttpOutput {
    private static final int ONE_WRITE = 16 << 10;
    private static final String CLOSE = "Connection: close\r\n";

    private final OutputStream out;
    private byte[] buffer = new byte[1024];
    private int size;

    HttpOutput(OutputStream out) {
        this.out = out;
    }

    void write(byte[] bytes, int from, int length) throws IOException {
        out.write(bytes, from, length);
    }

    void write(HttpResponse response, boolean keepAlive, boolean headOnly) throws IOException {
        int length = response.length();
        head(response, keepAlive);
        if (headOnly || length == 0) {
            out.write(buffer, 0, size);
        } else if (length <= ONE_WRITE) {
            room(length);
            System.arraycopy(response.body(), 0, buffer, size, length);
            out.write(buffer, 0, size + length);
        } else {
            out.write(buffer, 0, size);
            out.write(response.body(), 0, length);
        }
    }

    /** Writes all but the body. */
    void writeHead(HttpResponse response, boolean keepAlive) throws IOException {
        head(response, keepAlive);
        out.write(buffer, 0, size);
    }

    private void head(HttpResponse response, boolean keepAlive) {
        begin(response.status(), response.type());
        if (mayHaveBody(response.status())) {
            append("Content-Length: ");
            append(Integer.toString(response.length()));
            append("\r\n");
        }
        finish(response.headers(), keepAlive);
    }

    /** @param framing header line that frames the body, ended by CR LF; empty if the end of the connection ends it */
    void writeHead(int status, String headers, String framing, boolean keepAlive) throws IOException {
        begin(status, null);
        append(framing);
        finish(headers, keepAlive);
        out.write(buffer, 0, size);
    }

    private void begin(int status, String type) {
        size = 0;
        append("HTTP/1.1 ");
        append(status(status));
        if (type != null) {
            append("\r\nContent-Type: ");
            append(type);
        }
        append("\r\n");
    }

    private void finish(String headers, boolean keepAlive) {
        append(headers);
        append(keepAlive || closes(headers) ? "\r\n" : CLOSE + "\r\n");
    }

    /** Whether these header lines say that the connection ends after the response. */
    static boolean closes(String headers) {
        return headers.startsWith(CLOSE) || headers.contains("\n" + CLOSE);
    }

    static boolean mayHaveBody(int status) {
        return status >= 200 && status != 204 && status != 304;
    }

    private void room(int more) {
        if (buffer.length - size < more) {
            buffer = Arrays.copyOf(buffer, size + more);
        }
    }

    @SuppressWarnings("deprecation")
    private void append(String ascii) {
        room(ascii.length());
        // The deprecated call copies the low byte of each character, which is all that ASCII has.
        ascii.getBytes(0, ascii.length(), buffer, size);
        size += ascii.length();
    }

    private static String status(int status) {
        String reason = reason(status);
        return status + " " + reason;
    }

    private static String reason(int status) {
        return switch (status) {
            case 200 -> "OK";
            case 201 -> "Created";
            case 202 -> "Accepted";
            case 204 -> "No Content";
            case 206 -> "Partial Content";
            case 304 -> "Not Modified";
            case 307 -> "Temporary Redirect";
            case 400 -> "Bad Request";
            case 401 -> "Unauthorized";
            case 403 -> "Forbidden";
            case 404 -> "Not Found";
            case 405 -> "Method Not Allowed";
            case 408 -> "Request Timeout";
            case 409 -> "Conflict";
            case 412 -> "Precondition Failed";
            case 413 -> "Content Too Large";
            case 415 -> "Unsupported Media Type";
            case 417 -> "Expectation Failed";
            case 422 -> "Unprocessable Content";
            case 429 -> "Too Many Requests";
            case 431 -> "Request Header Fields Too Large";
            case 500 -> "Internal Server Error";
            case 501 -> "Not Implemented";
            case 502 -> "Bad Gateway";
            case 503 -> "Service Unavailable";
            case 504 -> "Gateway Timeout";
            case 505 -> "HTTP Version Not Supported";
            case 507 -> "Insufficient Storage";
            default -> "";
        };
    }
}
