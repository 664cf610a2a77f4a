package io.knabla.controller.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.knabla.controller.cli.FakePlatform.Reply;
import io.knabla.controller.cli.print.Documents;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ChatTest {
    private static final String CALL = "POST /functions/default/writer/v1/chat/completions";

    private final FakePlatform platform = new FakePlatform();

    @AfterEach
    void close() {
        platform.close();
    }

    private CommandResult chat(String... more) {
        List<String> all = new ArrayList<>(List.of("chat", "writer", "--server", platform.url()));
        all.addAll(List.of(more));
        return CommandResult.knabla(all.toArray(String[]::new));
    }

    private CommandResult chatWithInput(String lines, String... more) {
        InputStream before = System.in;
        System.setIn(new ByteArrayInputStream(lines.getBytes(StandardCharsets.UTF_8)));
        try {
            return chat(more);
        } finally {
            System.setIn(before);
        }
    }

    private static Reply stream(String... pieces) {
        var body = new StringBuilder(": waiting\n\n");
        for (String piece : pieces) {
            body.append("data: {\"choices\": [{\"delta\": {\"content\": \"%s\"}}]}\n\n".formatted(piece));
        }
        return Reply.ok(
                body.append("data: {\"choices\": []}\n\ndata: [DONE]\n\n").toString());
    }

    private List<JsonNode> requests() throws IOException {
        List<JsonNode> all = new ArrayList<>();
        for (var asked : platform.asked()) {
            all.add(Documents.JSON.readTree(asked.text()));
        }
        return all;
    }

    @Test
    void asksOneQuestion() throws IOException {
        platform.on(CALL, stream("Rh", "ein"));

        CommandResult answered =
                chat("A river?", "--system", "Be brief.", "--max-tokens", "5", "--temperature", "0", "--seed", "7");

        assertThat(answered.status()).as(answered.err()).isZero();
        assertThat(answered.out()).isEqualTo("Rhein\n");
        assertThat(requests())
                .singleElement()
                .satisfies(
                        request -> assertThat(request.toString())
                                .isEqualTo(
                                        "{\"max_completion_tokens\":5,\"temperature\":0.0,\"seed\":7,\"model\":\"writer\",\"stream\":true,\"messages\":[{\"role\":\"system\",\"content\":\"Be brief.\"},{\"role\":\"user\",\"content\":\"A river?\"}]}"));
    }

    @Test
    void sendsTheConversationAlongUntilANewOneBegins() throws IOException {
        platform.on(CALL, stream("eins"), stream("zwei"), stream("drei"));

        CommandResult answered = chatWithInput("one\ntwo\n/new\nthree\n\nnever asked\n");

        assertThat(answered.status()).as(answered.err()).isZero();
        assertThat(answered.out()).isEqualTo("eins\nzwei\ndrei\n");
        assertThat(requests())
                .extracting(request -> request.findValuesAsText("content"))
                .containsExactly(List.of("one"), List.of("one", "eins", "two"), List.of("three"));
    }

    @Test
    void tellsWhyThereIsNoAnswer() {
        platform.on(
                CALL,
                Reply.status(
                        400,
                        "{\"error\": {\"message\": \"the prompt has 9 tokens\", \"code\": \"context_length_exceeded\"}}"));

        CommandResult refused = chat("long");

        assertThat(refused.status()).isEqualTo(1);
        assertThat(refused.err()).contains("the prompt has 9 tokens");
    }

    @Test
    void tellsOfAnAnswerThatBreaksOff() {
        platform.on(
                CALL,
                Reply.ok("data: {\"choices\": [{\"delta\": {\"content\": \"a\"}}]}\n\n"),
                Reply.ok("data: {\"error\": {\"message\": \"the engine failed\"}}\n\n"));

        assertThat(chat("q").err()).contains("the answer broke off. Ask again; ./knabla logs writer");
        assertThat(chat("q").err()).contains("the engine failed");
    }
}
