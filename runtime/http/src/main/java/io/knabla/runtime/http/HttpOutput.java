package io.knabla.runtime.http;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;

/** Writes responses to a connection; small ones in a single write. */
final class HttpOutput {
    private static final int ONE_WRITE = 16 << 10;

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
        head(response.status(), response.type(), response.headers(), keepAlive);
        if (mayHaveBody(response.status())) {
            append("Content-Length: ");
            append(Integer.toString(length));
            append("\r\n");
        }
        append("\r\n");
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

    /** @param framing header line that frames the body, ended by CR LF; empty if the end of the connection ends it */
    void writeHead(int status, String headers, String framing, boolean keepAlive) throws IOException {
        head(status, null, headers, keepAlive);
        append(framing);
        append("\r\n");
        out.write(buffer, 0, size);
    }

    private void head(int status, String type, String headers, boolean keepAlive) {
        size = 0;
        append("HTTP/1.1 ");
        append(status(status));
        if (type != null) {
            append("\r\nContent-Type: ");
            append(type);
        }
        append("\r\n");
        append(headers);
        if (!keepAlive && !headers.contains("Connection: ")) {
            append("Connection: close\r\n");
        }
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
