package io.knabla.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.functions.decoder.CharacterModel;
import io.knabla.runtime.assemble.ReplicaProcess;
import io.knabla.runtime.assemble.SampleUnit;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Asks a replica of texts for a hundred times as many at once as it can generate. */
@Timeout(300)
class FloodedTextsIT {
    private static final Path FOLDER = Path.of("target/replica").toAbsolutePath();
    private static final int SEQUENCES = 8;
    private static final int CALLERS = 100 * SEQUENCES;
    private static final int TOKENS = 64;
    private static final int HEAP_MIB = 128;

    /** What the engine, its library and the threads take outside of the heap. */
    private static final int NATIVE_MIB = 256;

    private static final Pattern PEAK = Pattern.compile("VmHWM:\\s+(\\d+) kB");
    private static final String BODY =
            "{\"model\":\"model\",\"prompt\":\"a text\",\"max_tokens\":%d,\"logit_bias\":{\"2\":-100},\"stream\":true}"
                    .formatted(TOKENS);

    @Test
    void answersWhatFitsAndRefusesTheOthers() throws Exception {
        String spec = "type: Generation, generation: {maxSequences: %d, queue: {max: %1$d}}".formatted(SEQUENCES);
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        var command = List.of(java, "-Xmx%dm".formatted(HEAP_MIB), "@" + FOLDER.resolve("replica-all.args"));
        try (var unit = SampleUnit.ofFolder(spec, folder -> CharacterModel.write(folder, 512), SampleUnit.Place.DISK);
                var replica = new ReplicaProcess(command, unit.environment())) {
            int port = replica.port();
            replica.event();

            List<String> answers = allAtOnce(port);

            assertThat(answers).allMatch(answer -> isWhole(answer) || isRefused(answer));
            assertThat(answers).filteredOn(FloodedTextsIT::isWhole).hasSizeGreaterThanOrEqualTo(SEQUENCES);
            assertThat(answers).anyMatch(FloodedTextsIT::isRefused);
            assertThat(peakMebibytes(replica.process().pid())).isLessThan(HEAP_MIB + NATIVE_MIB);
            assertThat(call(port)).matches(FloodedTextsIT::isWhole);
        }
    }

    private static List<String> allAtOnce(int port) throws Exception {
        var gate = new CountDownLatch(CALLERS);
        List<Future<String>> coming = new ArrayList<>();
        try (var callers = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < CALLERS; i++) {
                coming.add(callers.submit(() -> {
                    gate.countDown();
                    gate.await();
                    return call(port);
                }));
            }
        }
        List<String> answers = new ArrayList<>();
        for (Future<String> one : coming) {
            answers.add(one.get());
        }
        return answers;
    }

    private static boolean isWhole(String answer) {
        return answer.startsWith("HTTP/1.1 200")
                && answer.contains("\"finish_reason\":\"length\"")
                && answer.contains("[DONE]");
    }

    private static boolean isRefused(String answer) {
        return answer.startsWith("HTTP/1.1 429") && answer.contains("Retry-After: ") && answer.contains("\"error\":");
    }

    private static String call(int port) throws IOException {
        String request = "POST /v1/completions HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: %d\r\n\r\n%s"
                .formatted(BODY.length(), BODY);
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static long peakMebibytes(long pid) throws IOException {
        Matcher peak = PEAK.matcher(Files.readString(Path.of("/proc", Long.toString(pid), "status")));
        assertThat(peak.find()).isTrue();
        return Long.parseLong(peak.group(1)) >> 10;
    }
}
