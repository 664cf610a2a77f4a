package io.knabla.runtime.prefill;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.functions.decoder.graph.Precision;
import io.knabla.functions.unit.Sha256;
import io.knabla.functions.unit.generation.KeyValueDigest;
import io.knabla.runtime.generation.FinishReason;
import io.knabla.runtime.generation.GenerationEvent;
import io.knabla.runtime.generation.GenerationRequest;
import io.knabla.runtime.generation.Generator;
import io.knabla.runtime.generation.GeneratorStatistics.Prefill;
import io.knabla.runtime.generation.Sampling;
import io.knabla.runtime.generation.Submission;
import io.knabla.runtime.generation.loop.TestTokenizer;
import io.knabla.runtime.generation.loop.TestUnits;
import io.knabla.runtime.generation.loop.TextGenerator;
import io.knabla.runtime.openai.GenerationModel;
import io.knabla.runtime.openai.OpenAiReplica;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A real model, prompts of which a replica reads for another one, over HTTP. */
@Timeout(120)
class HttpPrefixSourceTest {
    private static final KeyValueDigest KEY_VALUES = new KeyValueDigest(Sha256.of(new byte[0]));
    private static final int BLOCK = 64;
    private static final int CONTEXT = 256;

    @TempDir
    Path folder;

    private Path unit;

    @BeforeEach
    void writeUnit() throws IOException {
        unit = unit("unit", 8 * CONTEXT);
    }

    private Path unit(String name, int kvTokens) throws IOException {
        Path own = Files.createDirectory(folder.resolve(name));
        var limits = new TestUnits.Limits(CONTEXT, 2, kvTokens);
        return TestUnits.write(own, "llama", new Precision.Float32(), limits, TestTokenizer.table());
    }

    private static GenerationRequest request() {
        return GenerationRequest.of(new Random(3).ints(200, 0, 90).toArray(), 8, Sampling.GREEDY);
    }

    private Generator open(int port, KeyValueDigest keyValues) {
        return open(unit, port, keyValues);
    }

    private Generator open(int port, KeyValueDigest keyValues, Duration deadline) {
        return open(unit, port, keyValues, deadline);
    }

    private static Generator open(Path unit, int port, KeyValueDigest keyValues) {
        return open(unit, port, keyValues, Duration.ofMinutes(1));
    }

    private static Generator open(Path unit, int port, KeyValueDigest keyValues, Duration deadline) {
        var address = PrefillAddress.of("http://127.0.0.1:%d/prefix-blocks".formatted(port), "");
        var source = new HttpPrefixSource(address, keyValues, deadline);
        return TextGenerator.open(unit, TextGenerator.settings(unit), 1, Optional.of(source));
    }

    private static List<GenerationEvent> text(Generator generator) throws InterruptedException {
        var generation = ((Submission.Accepted) generator.submit(request())).generation();
        List<GenerationEvent> events = new ArrayList<>();
        do {
            events.add(generation.next());
        } while (!events.getLast().isLast());
        return events;
    }

    private void assertSameText(Generator generator) throws InterruptedException {
        try (var alone = TextGenerator.open(unit, 1)) {
            assertThat(text(generator)).isEqualTo(text(alone));
        }
    }

    @Test
    void textIsTheSame() throws Exception {
        try (var reading = GenerationModel.of(TextGenerator.open(unit, 1), KEY_VALUES);
                var replica = OpenAiReplica.of(reading);
                Generator generator = open(replica.port, KEY_VALUES)) {
            assertSameText(generator);
            assertThat(generator.statistics().prefill()).isEqualTo(new Prefill(3 * BLOCK, 0));
            assertThat(reading.generator().statistics().promptTokens()).isEqualTo(3 * BLOCK + 2);
            assertThat(replica.get("/metrics").body()).contains("prompt_tokens");
        }
    }

    @Test
    void aReplicaWithLessRoomAsksForLess() throws Exception {
        try (var reading = GenerationModel.of(TextGenerator.open(unit, 1), KEY_VALUES);
                var replica = OpenAiReplica.of(reading);
                Generator small = open(unit("small", CONTEXT + BLOCK), replica.port, KEY_VALUES)) {
            assertSameText(small);
            assertThat(small.statistics().prefill()).isEqualTo(new Prefill(BLOCK, 0));
        }
    }

    @Test
    void aReaderWithoutRoomHasFailed() throws Exception {
        try (var reading = GenerationModel.of(TextGenerator.open(unit("full", CONTEXT), 1), KEY_VALUES);
                var replica = OpenAiReplica.of(reading);
                Generator generator = open(replica.port, KEY_VALUES)) {
            assertSameText(generator);
            assertThat(generator.statistics().prefill()).isEqualTo(new Prefill(0, 1));
        }
    }

    @Test
    void aReaderThatSaysNothingIsLeftAtTheDeadline() throws Exception {
        try (var silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                Generator generator = open(silent.getLocalPort(), KEY_VALUES, Duration.ofMillis(300))) {
            assertSameText(generator);
            assertThat(generator.statistics().prefill()).isEqualTo(new Prefill(0, 1));
        }
    }

    @Test
    void aCallerThatLeavesEndsTheFetch() throws Exception {
        try (var silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                Generator generator = open(silent.getLocalPort(), KEY_VALUES, Duration.ofHours(1))) {
            var generation = ((Submission.Accepted) generator.submit(request())).generation();
            try (Socket asked = silent.accept()) {
                generation.cancel();
                assertThat(generation.next())
                        .isInstanceOfSatisfying(
                                GenerationEvent.Finished.class,
                                last -> assertThat(last.reason()).isEqualTo(FinishReason.CANCELLED));
                asked.getInputStream().transferTo(OutputStream.nullOutputStream());
            }
            assertThat(generator.waiting()).isZero();
            assertThat(generator.statistics().prefill()).isEqualTo(new Prefill(0, 0));
        }
    }

    @Test
    void anotherModelsKeysAreRefused() throws Exception {
        try (var reading = GenerationModel.of(TextGenerator.open(unit, 1), KEY_VALUES);
                var replica = OpenAiReplica.of(reading);
                Generator generator = open(replica.port, new KeyValueDigest(Sha256.of(new byte[1])))) {
            assertSameText(generator);
            assertThat(generator.statistics().prefill()).isEqualTo(new Prefill(0, 1));
            assertThat(reading.generator().statistics().promptTokens()).isZero();
        }
    }

    @Test
    void nobodyListens() throws Exception {
        int port;
        try (var free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        try (Generator generator = open(port, KEY_VALUES)) {
            assertSameText(generator);
            assertThat(generator.statistics().prefill()).isEqualTo(new Prefill(0, 1));
        }
    }

    @Test
    void theOtherReplicaIsLostWhileItSends() throws Exception {
        assertReadsAfter(
                "HTTP/1.1 200 OK\r\nKnabla-Prefix-Blocks: 1\r\nKnabla-Cached-Tokens: 0\r\nContent-Length: %d\r\n\r\nxyz"
                        .formatted(BLOCK * TextGenerator.settings(unit).bytesPerToken()));
    }

    @Test
    void answersOfAnotherForm() throws Exception {
        assertReadsAfter("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nxyz");
        assertReadsAfter(
                "HTTP/1.1 200 OK\r\nKnabla-Prefix-Blocks: 1\r\nKnabla-Cached-Tokens: 0\r\nContent-Length: 3\r\n\r\nxyz");
        assertReadsAfter(
                "HTTP/1.1 200 OK\r\nKnabla-Prefix-Blocks: 99\r\nKnabla-Cached-Tokens: 0\r\nContent-Length: 0\r\n\r\n");
        assertReadsAfter("HTTP/1.1 503 Later\r\nContent-Length: 2\r\n\r\nno");
        assertReadsAfter("nonsense");
    }

    /** @param answer of the other side, which leaves then */
    private void assertReadsAfter(String answer) throws Exception {
        try (var server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                Generator generator = open(server.getLocalPort(), KEY_VALUES)) {
            Thread.ofVirtual().start(() -> answer(server, answer));
            assertSameText(generator);
            assertThat(generator.statistics().prefill()).isEqualTo(new Prefill(0, 1));
        }
    }

    private static void answer(ServerSocket server, String answer) {
        try (Socket client = server.accept();
                OutputStream out = client.getOutputStream()) {
            var request = new StringBuilder();
            while (!request.toString().endsWith("]}")) {
                request.append((char) client.getInputStream().read());
            }
            out.write(answer.getBytes(StandardCharsets.US_ASCII));
        } catch (IOException left) {
            throw new UncheckedIOException(left);
        }
    }
}
