package io.knabla.functions.spec;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.events.ScalarEvent;

/** Tests that kubectl, which reads YAML 1.1, reads the shipped samples like Knabla. */
class SamplesTest {
    /** Words that are booleans in YAML 1.1, some also in SnakeYAML, but not in Knabla's reader. */
    private static final Pattern AMBIGUOUS = Pattern.compile("y|n|yes|no|on|off", Pattern.CASE_INSENSITIVE);

    @Test
    void noBareWordIsABooleanToKubectl() throws IOException {
        try (Stream<Path> folders = Files.list(Path.of("../samples"))) {
            List<Path> files = folders.map(folder -> folder.resolve("function.yaml"))
                    .filter(Files::exists)
                    .toList();

            assertThat(files)
                    .hasSizeGreaterThan(5)
                    .allSatisfy(
                            file -> assertThat(bareWords(file)).isNotEmpty().noneMatch(AMBIGUOUS.asMatchPredicate()));
        }
    }

    private static List<String> bareWords(Path file) {
        try (Reader text = Files.newBufferedReader(file)) {
            return StreamSupport.stream(new Yaml().parse(text).spliterator(), false)
                    .filter(ScalarEvent.class::isInstance)
                    .map(ScalarEvent.class::cast)
                    .filter(ScalarEvent::isPlain)
                    .map(ScalarEvent::getValue)
                    .toList();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
