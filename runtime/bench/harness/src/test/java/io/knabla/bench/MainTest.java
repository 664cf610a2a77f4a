package io.knabla.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import picocli.CommandLine;

/** Replaces standard output and error of this JVM. */
@Isolated
class MainTest {
    final PrintStream out = System.out;
    final PrintStream err = System.err;
    final ByteArrayOutputStream answer = new ByteArrayOutputStream();
    final ByteArrayOutputStream progress = new ByteArrayOutputStream();

    @AfterEach
    void restoreStreams() {
        System.setOut(out);
        System.setErr(err);
    }

    @Test
    void standardOutputIsOneJsonDocument() throws Exception {
        int code = bench("spot", "--rounds", "1", "-o", "json");

        assertThat(code).isZero();
        assertThat(new ObjectMapper().readTree(text(answer)).at("/rows/0/name").textValue())
                .isEqualTo("decisions");
        assertThat(text(progress)).contains("bench spot: ");
    }

    @ParameterizedTest
    @EnumSource(Main.Name.class)
    void unknownRowIsRefusedWithThoseThereAre(Main.Name name) {
        int code = bench(name.name(), "--rows", "start-1mbb");

        assertThat(code).isEqualTo(CommandLine.ExitCode.USAGE);
        assertThat(text(answer)).isEmpty();
        assertThat(text(progress))
                .startsWith("--rows: bench %s has no row start-1mbb; it has ".formatted(name))
                .hasLineCount(1);
    }

    private int bench(String... arguments) {
        System.setOut(new PrintStream(answer, true, StandardCharsets.UTF_8));
        System.setErr(new PrintStream(progress, true, StandardCharsets.UTF_8));
        return new CommandLine(new Main()).execute(arguments);
    }

    private static String text(ByteArrayOutputStream stream) {
        return stream.toString(StandardCharsets.UTF_8);
    }
}
