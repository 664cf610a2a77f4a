package io.knabla.runtime.assemble;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Calls for an AOT training run, as in a replica's first seconds: their classes get into the cache and their code is
 * profiled.
 */
final class AotTrainingLoad {
    private static final int WARM = 5000;
    private static final int STEPS = 20;

    private final int port;

    AotTrainingLoad(int port) {
        this.port = port;
    }

    void run() throws IOException {
        String values =
                IntStream.range(0, 64).mapToObj(i -> Float.toString(i / 7f - 3)).collect(Collectors.joining(","));
        String input = "{\"name\":\"x\",\"shape\":[1,64],\"datatype\":\"FP32\"";
        String text = "{\"name\":\"s\",\"shape\":[1],\"datatype\":\"BYTES\",\"data\":[\"a text\"]}";
        byte[] json = ascii("{\"id\":\"7\",\"inputs\":[" + input + ",\"data\":[" + values + "]}," + text + "]}");
        String head = "{\"inputs\":["
                + input
                + ",\"parameters\":{\"binary_data_size\":256}},"
                + text
                + "],\"parameters\":{\"binary_data_output\":true}}";
        var binary = new ByteArrayOutputStream();
        binary.writeBytes(ascii(head));
        binary.writeBytes(new byte[256]);
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            for (String path : new String[] {
                "/v2", "/v2/health/live", "/v2/health/ready", "/v2/models/model", "/metrics", "/v2/models/other"
            }) {
                call(socket, "GET", path, "", new byte[0]);
            }
            for (int i = 0; i < WARM; i++) {
                expect(call(socket, "POST", "/v2/models/model/infer", "", json), "200");
                expect(
                        call(
                                socket,
                                "POST",
                                "/v2/models/model/infer",
                                "Inference-Header-Content-Length: " + head.length() + "\r\n",
                                binary.toByteArray()),
                        "200");
            }
            expect(call(socket, "POST", "/v2/models/model/infer", "", ascii("{\"inputs\":[]}")), "400");
        }
    }

    /** Runs steps of a training unit with one input {@code x} and a target {@code t}; each is saved in the store. */
    void steps() throws IOException {
        String values = "1.5,".repeat(63) + "1.5";
        byte[] json = ascii(
                "{\"inputs\":[{\"name\":\"x\",\"shape\":[1,64],\"datatype\":\"FP32\",\"data\":[%1$s]},{\"name\":\"t\",\"shape\":[1,64],\"datatype\":\"FP32\",\"data\":[%1$s]}]}"
                        .formatted(values));
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            for (int i = 0; i < STEPS; i++) {
                expect(call(socket, "POST", "/v2/models/model/infer", "", json), "200");
            }
        }
    }

    private static void expect(String status, String wanted) throws IOException {
        if (!status.contains(wanted)) {
            throw new IOException("the replica answered '" + status + "' in training, expected " + wanted);
        }
    }

    private static String call(Socket socket, String method, String path, String headers, byte[] body)
            throws IOException {
        var request = new ByteArrayOutputStream();
        request.writeBytes(ascii("%s %s HTTP/1.1\r\nHost: localhost\r\n%sContent-Length: %d\r\n\r\n"
                .formatted(method, path, headers, body.length)));
        request.writeBytes(body);
        OutputStream out = socket.getOutputStream();
        out.write(request.toByteArray());
        out.flush();
        InputStream in = socket.getInputStream();
        var head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int b = in.read();
            if (b < 0) {
                throw new IOException("the replica closed the connection in training");
            }
            head.append((char) b);
        }
        String text = head.toString();
        int at = text.indexOf("\r\nContent-Length: ") + "\r\nContent-Length: ".length();
        in.readNBytes(Integer.parseInt(text.substring(at, text.indexOf('\r', at))));
        return text.substring(0, text.indexOf('\r'));
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
