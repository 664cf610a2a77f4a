package io.knabla.controller.bucket;

import static io.knabla.controller.standin.AwaitSupport.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.knabla.controller.kill.PlatformProcess;
import io.knabla.controller.training.FunctionClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two controllers on one bucket, the clock of one of them a day back from its start, then a day ahead, then right, by
 * libfaketime: a version of either is served by both.
 */
@Tag("faults")
class ClocksIT {
    /** Of Debian's package {@code faketime}, by architecture. */
    private static final List<Path> LIBRARIES = Stream.of("x86_64", "aarch64")
            .map("/usr/lib/%s-linux-gnu/faketime/libfaketimeMT.so.1"::formatted)
            .map(Path::of)
            .toList();

    private static final String SUM = "add-sub";

    @TempDir
    Path folder;

    private int versions;

    /** It starts a day behind, and reads the offset of its clock from a file, each second anew. */
    @Test
    void everyCallIsAnsweredWhileTheClockOfOneMovesBackAndForth() throws IOException {
        var library = LIBRARIES.stream().filter(Files::exists).findFirst();
        assumeThat(library).as("libfaketime, of apt-get install faketime").isPresent();
        Path offset = Files.writeString(folder.resolve("offset"), "-1d");
        Map<String, String> clock = Map.of(
                "LD_PRELOAD",
                library.get().toString(),
                "FAKETIME_TIMESTAMP_FILE",
                offset.toString(),
                "FAKETIME_CACHE_DURATION",
                "1",
                "FAKETIME_DONT_FAKE_MONOTONIC",
                "1",
                // Waits of Java's end at a monotonic time, which the library would turn too: all would end at once.
                "FAKETIME_FORCE_MONOTONIC_FIX",
                "0");
        try (var bucket = new Bucket(folder);
                PlatformProcess right = bucket.platform("right");
                PlatformProcess moving = bucket.platform("moving", clock)) {
            var one = new FunctionClient(right.address());
            var other = new FunctionClient(moving.address());
            deploy(one);
            List<FunctionClient> both = List.of(one, other);
            both.forEach(this::awaitNewest);
            for (int days : List.of(-1, 1, 0)) {
                Files.writeString(offset, "%+dd".formatted(days));
                await("a deploy by the moved clock").until(() -> {
                    deploy(other);
                    both.forEach(ClocksIT::served);
                    return isNewestDays(days, other);
                });
                both.forEach(this::awaitNewest);
                deploy(one);
                both.forEach(this::awaitNewest);
            }
        }
    }

    private static boolean isNewestDays(int days, FunctionClient side) {
        JsonNode versions =
                side.get("/api/v1/functions/default/" + SUM + "/versions").path("items");
        Instant newest = StreamSupport.stream(versions.spliterator(), false)
                .max(Comparator.comparingInt(version -> version.path("version").asInt()))
                .map(version -> Instant.parse(version.path("created").asText()))
                .orElseThrow();
        Duration off = Duration.between(Instant.now(), newest).minus(Duration.ofDays(days));
        return off.abs().compareTo(Duration.ofHours(1)) < 0;
    }

    /** Each call until then is answered by some version. */
    private void awaitNewest(FunctionClient side) {
        await().until(() ->
                call(side).headers().firstValue("Knabla-Version").orElse("").equals(Integer.toString(versions)));
        served(side);
    }

    private static void served(FunctionClient side) {
        for (int i = 0; i < 20; i++) {
            HttpResponse<String> answer = call(side);
            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        }
    }

    /**
     * The sample with another timeout, which makes it another version; all are longer than a start on a busy machine.
     */
    private void deploy(FunctionClient side) throws IOException {
        versions++;
        Path at = Files.createDirectory(folder.resolve("version-" + versions));
        Files.copy(FunctionClient.SAMPLES.resolve(SUM).resolve("add-sub.onnx"), at.resolve("add-sub.onnx"));
        String yaml = """
                apiVersion: knabla.dev/v1alpha1
                kind: Function
                metadata: {name: add-sub}
                spec: {model: add-sub.onnx, timeout: %ds}
                """.formatted(100 + versions);
        side.knabla(
                "deploy",
                "-f",
                Files.writeString(at.resolve("function.yaml"), yaml).toString());
    }

    /** Every answer is one of the function. */
    private static HttpResponse<String> call(FunctionClient side) {
        String request = request();
        HttpResponse<String> answer =
                side.send("POST", "/v2/models/" + SUM + "/infer", BodyPublishers.ofString(request));
        assertThat(answer.statusCode()).as(answer.body()).isIn(200, 404);
        return answer;
    }

    private static String request() {
        try {
            return Files.readString(FunctionClient.SAMPLES.resolve(SUM).resolve("request.json"));
        } catch (IOException missing) {
            throw new UncheckedIOException(missing);
        }
    }
}
