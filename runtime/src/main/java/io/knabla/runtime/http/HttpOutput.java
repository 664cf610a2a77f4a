package io.knabla.runtime.http;

import java.io.IOException;
import java.io.OutputStream;

/** Writes responses to a connection; small ones in a single write. */
final class HttpOutput {
    private static final int ONE_WRITE = 16 << 10;

    private final OutputStream out;
    private byte[] buffer = new byte[2048];
    private int size;

    HttpOutput(OutputStream out) {
        this.out = out;
    }

    void write(byte[] bytes) throws IOException {
        out.write(bytes);
    }

    void write(HttpResponse response, boolean keepAlive, boolean headOnly) throws IOException {
        size = 0;
        append("HTTP/1.1 ");
        append(status(response.status()));
        append("\r\nContent-Type: ");
        append(response.type());
        append("\r\nContent-Length: ");
        append(Integer.toString(response.length()));
        append("\r\n");
        append(response.headers());
        boolean said = response.headers().contains("Connection: ");
        append(keepAlive || said ? "\r\n" : "Connection: close\r\n\r\n");
        if (headOnly || response.length() == 0) {
            out.write(buffer, 0, size);
        } else if (response.length() <= ONE_WRITE) {
            room(response.length());
            System.arraycopy(response.body(), 0, buffer, size, response.length());
            out.write(buffer, 0, size + response.length());
        } else {
            out.write(buffer, 0, size);
            out.write(response.body(), 0, response.length());
        }
    }

    private void room(int more) {
        if (buffer.length - size < more) {
            buffer = java.util.Arrays.copyOf(buffer, size + more);
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
        return switch (status) {
            case 200 -> "200 OK";
            case 400 -> "400 Bad Request";
            case 403 -> "403 Forbidden";
            case 404 -> "404 Not Found";
            case 405 -> "405 Method Not Allowed";
            case 413 -> "413 Content Too Large";
            case 417 -> "417 Expectation Failed";
            case 429 -> "429 Too Many Requests";
            case 431 -> "431 Request Header Fields Too Large";
            case 500 -> "500 Internal Server Error";
            case 501 -> "501 Not Implemented";
            case 503 -> "503 Service Unavailable";
            case 504 -> "504 Gateway Timeout";
            case 505 -> "505 HTTP Version Not Supported";
            default -> status + " ";
        };
    }
}
