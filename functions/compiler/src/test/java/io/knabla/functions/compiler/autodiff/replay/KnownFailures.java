package io.knabla.functions.compiler.autodiff.replay;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The checked-in lists of cases that are known to fail: {@code case | operators | why}. After adding a rule, rewrite
 * them with {@code -Drefused=write}.
 */
final class KnownFailures {
    private static final Path SOURCES = Path.of("src", "test", "resources");
    private static final int WIDTH = 110;

    private KnownFailures() {}

    /** Maps each case to the operators that fail in it. */
    static Map<String, String> read(String resource) {
        try (InputStream in = KnownFailures.class.getResourceAsStream(resource)) {
            var listed = new TreeMap<String, String>();
            new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.isBlank())
                    .map(line -> line.split(" \\| ", 3))
                    .forEach(parts -> listed.put(parts[0], parts[1]));
            return listed;
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    static boolean rewriting() {
        return "write".equals(System.getProperty("refused"));
    }

    static void write(String resource, ReplayOutcomes coverage) {
        String lines = coverage.outcomes().entrySet().stream()
                .filter(e -> !(e.getValue() instanceof Outcome.Agrees))
                .map(e -> line(e.getKey(), e.getValue()))
                .collect(Collectors.joining());
        try {
            Files.writeString(SOURCES.resolve(resource.substring(1)), lines);
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    /** Without the numbers of operations, which change with every new rule. */
    private static String line(String name, Outcome outcome) {
        String why = outcome.reason()
                .replaceFirst("^refused: graph\\S*\\[[^\\]]*\\]: ", "")
                .replaceAll(" ?#\\d+|, and lies on .*|; it lies on .*", "");
        String shown = why.substring(0, Math.min(why.length(), WIDTH)).strip();
        return "%s | %s | %s%n".formatted(name, outcome.operators(), shown);
    }
}
