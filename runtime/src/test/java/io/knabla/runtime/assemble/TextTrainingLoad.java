package io.knabla.runtime.assemble;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** Calls with texts for an AOT training run: their classes get into the cache. */
final class TextTrainingLoad {
    private static final int TIMES = 20;
    private static final String CHAT =
            "{\"model\":\"model\",\"messages\":[{\"role\":\"user\",\"content\":\"a text\"}],\"max_tokens\":8,\"seed\":%d%s}";
    private static final String COMPLETION =
            "{\"model\":\"model\",\"prompt\":\"a text\",\"max_tokens\":4,\"temperature\":0,\"logprobs\":1,\"stop\":\"~~\"}";
    private static final String STREAMED = ",\"stream\":true,\"stream_options\":{\"include_usage\":true}";
    private static final String SCHEMA =
            ",\"response_format\":{\"type\":\"json_schema\",\"json_schema\":{\"name\":\"a\",\"schema\":{\"type\":\"boolean\"}}}";

    private final int port;

    TextTrainingLoad(int port) {
        this.port = port;
    }

    void generate() throws IOException {
        ready();
        for (int i = 0; i < TIMES; i++) {
            post("/v1/chat/completions", CHAT.formatted(i, ""));
            post("/v1/chat/completions", CHAT.formatted(i, STREAMED));
            post("/v1/completions", COMPLETION);
        }
        post("/v1/chat/completions", CHAT.formatted(0, SCHEMA));
        expect("400", call("POST", "/v1/chat/completions", "{}"));
        expect("200", call("GET", "/v1/models", ""));
        expect("200", call("GET", "/metrics", ""));
    }

    void embed() throws IOException {
        ready();
        for (int i = 0; i < TIMES; i++) {
            post("/v1/embeddings", "{\"model\":\"model\",\"input\":[\"a text\",\"another\"]}");
        }
        expect("200", call("GET", "/metrics", ""));
    }

    /** A request that comes before the unit is loaded waits for it. */
    private void ready() throws IOException {
        expect("200", call("GET", "/v1/models", ""));
    }

    private void post(String path, String body) throws IOException {
        expect("200", call("POST", path, body));
    }

    private static void expect(String wanted, String answer) throws IOException {
        if (!answer.startsWith("HTTP/1.1 " + wanted)) {
            throw new IOException("the replica answered '" + answer + "' in training, expected " + wanted);
        }
    }

    private String call(String method, String path, String body) throws IOException {
        String request = """
                %s %s HTTP/1.1\r
                Host: localhost\r
                Connection: close\r
                Content-Type: application/json\r
                Content-Length: %d\r
                \r
                %s""".formatted(method, path, body.length(), body);
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
