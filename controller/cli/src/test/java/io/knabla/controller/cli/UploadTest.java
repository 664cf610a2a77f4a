package io.knabla.controller.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.knabla.controller.cli.FakePlatform.Reply;
import io.knabla.controller.cli.client.Address;
import io.knabla.controller.cli.client.PlatformClient;
import io.knabla.controller.cli.client.Upload;
import io.knabla.controller.cli.print.Console;
import io.knabla.controller.cli.print.Progress;
import io.knabla.functions.unit.Digest;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Uploads a model to a platform with broken connections. */
class UploadTest {
    private static final Digest DIGEST = new Digest("sha256:" + "0".repeat(64));
    private static final String MODEL = "/api/v1/models/" + DIGEST;

    @TempDir
    Path folder;

    private final FakePlatform first = new FakePlatform();
    private final FakePlatform second = new FakePlatform();
    private final Console console = Console.plain(
            new PrintStream(OutputStream.nullOutputStream()), new PrintStream(OutputStream.nullOutputStream()));
    private Path model;

    @BeforeEach
    void write() throws IOException {
        model = Files.writeString(folder.resolve("model.onnx"), "0123456789");
    }

    @AfterEach
    void stop() {
        first.close();
        second.close();
    }

    @Test
    void resumesAtReplacementController() {
        first.on("HEAD " + MODEL, Reply.status(404, "")).on("PUT " + MODEL, Reply.broken());
        second.on("HEAD " + MODEL, new Reply(404, Map.of("Upload-Offset", "4"), ""))
                .on("PUT " + MODEL, Reply.status(201, "{}"));
        var pods = new Pods();

        send(pods);

        assertThat(pods.looked).isEqualTo(2);
        assertThat(second.asked("PUT " + MODEL).text()).isEqualTo("456789");
    }

    /** A refusal is not a broken connection. */
    @Test
    void doesNotRetryRefusedUpload() {
        first.on("HEAD " + MODEL, Reply.status(404, ""))
                .on("PUT " + MODEL, Reply.status(400, "{\"detail\": \"other bytes\"}"));
        var pods = new Pods();

        assertThatThrownBy(() -> send(pods)).hasMessageContaining("other bytes");
        assertThat(pods.looked).isZero();
    }

    @Test
    void brokenConnectionUsesMessageOfAddress() {
        first.on("GET /api/v1/functions", Reply.broken(), Reply.broken());
        var platform = new PlatformClient(new Pods(), Optional.empty(), console, false);

        assertThatThrownBy(() -> platform.get("/functions"))
                .hasMessageStartingWith("the pods of context 'here' are gone (")
                .hasMessageNotContaining("./knabla up");
    }

    private void send(Address address) {
        var platform = new PlatformClient(address, Optional.empty(), console, false);
        new Upload(platform, new Progress(console, true)).send(DIGEST, model);
    }

    /** Address that changes to the second platform at the second {@code refresh}. */
    private final class Pods implements Address {
        private int looked;

        @Override
        public String url() {
            return looked < 2 ? first.url() : second.url();
        }

        @Override
        public void refresh() {
            looked++;
            if (looked == 1) {
                throw CliFailure.failed("no pod is ready");
            }
        }

        @Override
        public String brokenMessage(String why) {
            return "the pods of context 'here' are gone (%s)".formatted(why);
        }
    }
}
