package io.knabla.bench.wire;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Polls a port until it accepts connections and the response is correct. */
public final class FirstAnswer {
    private FirstAnswer() {}

    /**
     * @param poll pause between two attempts
     * @param alive false ends the wait at once
     */
    public record PollPolicy(Duration poll, Duration limit, BooleanSupplier alive) {}

    /**
     * @param connectMillis until the port accepted a connection
     * @param answerMillis until the complete correct response was received
     */
    public record Times(double connectMillis, double answerMillis, HttpAnswer answer) {}

    public static Times await(Call call, long startNanos, PollPolicy patience) {
        long end = startNanos + patience.limit().toNanos();
        double connected = 0;
        String last = "it never took a connection";
        while (System.nanoTime() < end && patience.alive().getAsBoolean()) {
            try (var socket = new Socket()) {
                socket.setTcpNoDelay(true);
                socket.setSoTimeout((int) patience.limit().toMillis());
                socket.connect(call.address());
                connected = connected == 0 ? millisSince(startNanos) : connected;
                HttpAnswer answer = ask(socket, call).orElse(null);
                double answered = millisSince(startNanos);
                if (answer != null && answer.status() == 200 && call.check().correct(answer)) {
                    return new Times(connected, answered, answer);
                }
                last = answer == null ? "it closed the connection" : answer.summary();
            } catch (IOException notYet) {
                LockSupport.parkNanos(patience.poll().toNanos());
                continue;
            }
            LockSupport.parkNanos(patience.poll().toNanos());
        }
        throw new IllegalStateException("no right answer from %s: %s".formatted(call.address(), last));
    }

    /** Sends the request; empty if the connection ends before the response does. */
    private static Optional<HttpAnswer> ask(Socket socket, Call call) throws IOException {
        socket.getOutputStream().write(call.http());
        InputStream in = socket.getInputStream();
        var reader = new AnswerReader();
        while (true) {
            byte[] room = reader.room();
            int count = in.read(room, reader.count(), room.length - reader.count());
            if (count < 0) {
                return Optional.empty();
            }
            if (reader.received(count)) {
                return Optional.of(reader.answer());
            }
        }
    }

    private static double millisSince(long startNanos) {
        return (System.nanoTime() - startNanos) / 1e6;
    }
}
