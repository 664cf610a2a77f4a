package io.knabla.runtime.openai.embeddings;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.runtime.encoder.BatchRunner;
import io.knabla.runtime.engine.TokenBatch;
import io.knabla.runtime.openai.OpenAiEndpoints;
import io.knabla.runtime.serve.Replica;
import io.knabla.runtime.serve.ReplicaSettings;
import io.knabla.runtime.serve.ReplicaState;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A client that leaves before its texts are computed. */
class EncoderClientTest {
    @TempDir
    private Path folder;

    /** Computes nothing until it is let go. */
    private static final class HeldRunner implements BatchRunner {
        final CountDownLatch begun = new CountDownLatch(1);
        final CountDownLatch go = new CountDownLatch(1);

        @Override
        public float[] run(TokenBatch batch) {
            begun.countDown();
            try {
                go.await();
            } catch (InterruptedException stopped) {
                throw new IllegalStateException(stopped);
            }
            return new float[batch.lengths().length];
        }

        @Override
        public void close() {}
    }

    @Test
    @Timeout(100)
    void whoLeavesIsNoFailure() throws Exception {
        var runner = new HeldRunner();
        EncoderModel real = EncoderUnits.open("bert", folder);
        var state = new ReplicaState(ReplicaSettings.of("m", "1", "", 1 << 20, Duration.ofMinutes(2)));
        var replica = new Replica(state, List.of(new OpenAiEndpoints(state)));
        try (real;
                replica;
                var held = EncoderModel.of(real.settings(), real.tokenizer(), runner)) {
            replica.serve(held);
            leave(replica.listen("127.0.0.1", 0), runner);
            // Ends when the request has, which the run that is held does not let be answered.
            replica.drain();
            runner.go.countDown();

            assertThat(replica.usage().failed()).isZero();
            assertThat(replica.usage().succeeded()).isZero();
        }
    }

    private static void leave(int port, HeldRunner runner) throws Exception {
        String body = "{\"model\":\"m\",\"input\":\"fox\"}";
        String head = "POST /v1/embeddings HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n".formatted(body.length());
        try (var socket = new Socket("127.0.0.1", port)) {
            socket.getOutputStream().write((head + body).getBytes(StandardCharsets.US_ASCII));
            runner.begun.await();
        }
    }
}
