package io.knabla.bench.generation;

import io.knabla.bench.server.TextServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntConsumer;

/**
 * Asks a replica for texts, each as a stream on a connection of its own.
 *
 * @param port of the replica
 */
record TextCaller(int port) {
    private static final String EVENT = "data: {";

    /** Each token is an event of its own; the last event has the counts. */
    private static final String TOKEN = "\"finish_reason\":null";

    /** Sends the prompt; the answer is read from the socket until its end. */
    Socket open(int[] prompt, int tokens) throws IOException {
        String body = TextServer.body(prompt, tokens, true);
        String request = """
                POST %s HTTP/1.1\r
                Host: 127.0.0.1\r
                Connection: close\r
                Content-Type: application/json\r
                Content-Length: %d\r
                \r
                %s""".formatted(TextServer.PATH, body.length(), body);
        var socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
        return socket;
    }

    TokenTimes times(int[] prompt, int tokens) throws IOException {
        return times(prompt, tokens, _ -> {});
    }

    /**
     * Notes when each token came.
     *
     * @param progress gets the number of tokens that are there
     * @throws IOException if none came, as of a text that was refused
     */
    TokenTimes times(int[] prompt, int tokens, IntConsumer progress) throws IOException {
        long sent = System.nanoTime();
        List<Long> times = new ArrayList<>();
        try (Socket socket = open(prompt, tokens);
                var lines =
                        new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith(EVENT) && line.contains(TOKEN)) {
                    times.add(System.nanoTime());
                    progress.accept(times.size());
                }
            }
        }
        if (times.isEmpty()) {
            throw new IOException("no token came");
        }
        return new TokenTimes(sent, times);
    }
}
