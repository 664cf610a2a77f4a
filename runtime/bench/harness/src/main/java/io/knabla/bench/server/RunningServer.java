package io.knabla.bench.server;

import io.knabla.bench.machine.ChildProcess;
import io.knabla.bench.machine.Ports;
import io.knabla.bench.wire.Call;
import io.knabla.bench.wire.FirstAnswer;
import java.time.Duration;
import java.util.random.RandomGenerator;

/** A running server that has answered its first request, with the times of its start. */
public record RunningServer(Server server, ChildProcess child, int port, FirstAnswer.Times times)
        implements AutoCloseable {
    private static final Duration LIMIT = Duration.ofSeconds(90);

    /** Starts the server and waits for its first correct answer. */
    public static RunningServer start(Server server, RandomGenerator random, Duration poll) {
        int port = Ports.free(random);
        Call call = server.call(port);
        ChildProcess child = ChildProcess.start(server.command(port));
        try {
            var patience = new FirstAnswer.PollPolicy(poll, LIMIT, child::isAlive);
            var times = FirstAnswer.await(call, child.startNanos(), patience);
            return new RunningServer(server, child, port, times);
        } catch (RuntimeException failure) {
            String said = child.outputTail();
            child.close();
            throw new IllegalStateException(
                    "%s gave no right answer; it said: %s".formatted(server.name(), said), failure);
        }
    }

    @Override
    public void close() {
        child.close();
    }
}
