package io.knabla.controller.cli.print;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class ConsoleTest {
    /** Prints in a process of its own. */
    static final class Main {
        private Main() {}

        public static void main(String[] arguments) {
            Console console = Console.ofProcess();
            console.print("😀 größe");
            console.error("中文");
        }
    }

    @Test
    @Timeout(60)
    void writesUtf8InAnyLocale() throws Exception {
        var command = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName());
        command.environment().put("LC_ALL", "C");
        command.redirectErrorStream(true);
        Process process = command.start();
        String written = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(process.waitFor()).as(written).isZero();
        assertThat(written).isEqualTo("😀 größe\nknabla: 中文\n");
    }
}
