package io.knabla.controller.cli.kube;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ContextNamesTest {
    @TempDir
    Path home;

    private Path file(String name, String content) throws IOException {
        Path file = home.resolve(name);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, content);
    }

    @Test
    void readsDefaultFileInEveryForm() throws IOException {
        file(".kube/config", """
                apiVersion: v1
                contexts:
                - context:
                    cluster: a
                  name: kind-kind
                - {name: "arn:aws:eks:eu-central-1:111122223333:cluster/a", context: {cluster: b}}
                - context: {cluster: nameless}
                current-context: other
                """);

        assertThat(ContextNames.in("", home))
                .containsExactly("arn:aws:eks:eu-central-1:111122223333:cluster/a", "kind-kind");
    }

    @Test
    void readsOnlyNamedFiles() throws IOException {
        file(".kube/config", "contexts: [{name: usual}]");
        Path one = file("one", "contexts: [{name: b}, {name: a}]");
        Path two = file("two", "{\"contexts\": [{\"name\": \"c\"}, {\"name\": \"a\"}]}");

        assertThat(ContextNames.in(one + ":" + home.resolve("none") + ":" + two, home))
                .containsExactly("a", "b", "c");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "contexts: [", "contexts: {a: b}", "- a", "contexts:\n- a"})
    void returnsNoneIfUnreadable(String content) throws IOException {
        file(".kube/config", content);

        assertThat(ContextNames.in("", home)).isEmpty();
        assertThat(ContextNames.in("", home.resolve("nowhere"))).isEmpty();
    }
}
