package io.knabla.hostile;

import java.nio.charset.StandardCharsets;

/**
 * Address of the server under attack, which serves a model that doubles {@code x}.
 *
 * @param name for the printed counts
 * @param pid process whose memory and descriptors are watched
 * @param infer path that the model answers on
 * @param credentials header lines that let an honest caller in; empty if everybody may call
 */
public record Target(String name, int port, long pid, String infer, String credentials) {
    /** Header lines that every honest request has. */
    String headers() {
        return "Host: 127.0.0.1:%d\r\n%s".formatted(port, credentials);
    }

    String get(String path) {
        return "GET %s HTTP/1.1\r\n%s\r\n".formatted(path, headers());
    }

    String health() {
        return get("/v2/health/ready");
    }

    /** The head of a call, without the lines that frame its body. */
    String post(String framing) {
        return "POST %s HTTP/1.1\r\n%s%s\r\n".formatted(infer, headers(), framing);
    }

    String call(String body) {
        return post("Content-Type: application/json\r\nContent-Length: " + body.length() + "\r\n") + body;
    }

    /** A call of another path, by whoever has the credentials. */
    public String post(String path, String type, String body) {
        return "POST %s HTTP/1.1\r\n%sContent-Type: %s\r\nContent-Length: %d\r\n\r\n%s"
                .formatted(path, headers(), type, body.length(), body);
    }

    /** A call whose answer has {@code 2 * x}. */
    String call(int x) {
        return call(body("1", Integer.toString(x)));
    }

    static String body(String length, String data) {
        return "{\"inputs\":[{\"name\":\"x\",\"shape\":[1,%s],\"datatype\":\"FP32\",\"data\":[%s]}]}"
                .formatted(length, data);
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }
}
