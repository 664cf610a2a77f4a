package io.knabla.controller.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.local.LogFolderReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogTailTest {
    @TempDir
    Path folder;

    private void append(String replica, String text) throws IOException {
        Files.writeString(folder.resolve(replica + ".log"), text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    private static String text(ByteArrayOutputStream out) {
        return out.toString(StandardCharsets.UTF_8);
    }

    @Test
    void writesOnlyTheLastLines() throws IOException {
        append("a", "1\n2\n3\n");
        var out = new ByteArrayOutputStream();
        new LogTail(new LogFolderReader(folder)).write(2, out);
        assertThat(text(out)).isEqualTo("[a] 2\n[a] 3\n");
    }

    @Test
    void writesNothingForAFunctionThatNeverRan() throws IOException {
        var out = new ByteArrayOutputStream();
        new LogTail(new LogFolderReader(folder.resolve("absent"))).write(10, out);
        assertThat(out.size()).isZero();
    }

    @Test
    void followsNewLinesAndNewReplicas() throws IOException {
        append("a", "old\nhal");
        var out = new ByteArrayOutputStream();
        int[] looks = {0};
        new LogTail(new LogFolderReader(folder)).follow(10, out, () -> {
            try {
                switch (looks[0]++) {
                    case 1 -> append("a", "f\n");
                    case 2 -> append("b", "other\n");
                    case 3 -> Files.writeString(folder.resolve("a.log"), "new\n");
                    default -> {}
                }
            } catch (IOException error) {
                throw new IllegalStateException(error);
            }
            return looks[0] > 6;
        });
        assertThat(text(out).lines().filter(line -> line.startsWith("data:")))
                .containsExactly("data: [a] old", "data: [a] half", "data: [b] other", "data: [a] new");
    }
}
