package io.knabla.controller.cli.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.knabla.controller.cli.CliFailure;
import io.knabla.controller.cli.print.Documents;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/** A conversation with a function that generates text: each answer is streamed, and is part of what is asked next. */
public final class Chat {
    private static final String PATH = "/v1/chat/completions";
    private static final String DATA = "data:";
    private static final String END = "[DONE]";

    private final FunctionEndpoint function;
    private final ObjectNode settings;
    private final ArrayNode messages = Documents.JSON.createArrayNode();

    /** @param settings fields of each request besides the messages, such as {@code temperature} */
    public Chat(FunctionEndpoint function, ObjectNode settings) {
        this.function = function;
        this.settings = settings;
    }

    /** @param role {@code system}, {@code user} or {@code assistant} */
    public void add(String role, String text) {
        messages.addObject().put("role", role).put("content", text);
    }

    /**
     * Asks and waits for the end of the answer.
     *
     * @param piece receives each piece of the answer as it comes
     * @throws CliFailure if there is no answer, or it breaks off; the question is forgotten then
     */
    public void ask(String question, Consumer<String> piece) {
        add("user", question);
        try {
            add("assistant", answer(piece));
        } catch (CliFailure failed) {
            messages.remove(messages.size() - 1);
            throw failed;
        }
    }

    private String answer(Consumer<String> piece) {
        ObjectNode request = settings.deepCopy().put("model", function.model()).put("stream", true);
        request.set("messages", messages);
        var text = new StringBuilder();
        try (InputStream body = function.stream(PATH, request)) {
            var lines = new BufferedReader(new InputStreamReader(body, StandardCharsets.UTF_8));
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                String event =
                        line.startsWith(DATA) ? line.substring(DATA.length()).strip() : "";
                if (event.equals(END)) {
                    return text.toString();
                }
                String more = event.isEmpty() ? "" : piece(event);
                text.append(more);
                piece.accept(more);
            }
        } catch (IOException broken) {
            throw CliFailure.because(broken, "the answer broke off: %s", broken.getMessage());
        }
        throw CliFailure.failed("the answer broke off. Ask again; ./knabla logs %s may say why.", function.model());
    }

    private static String piece(String event) throws IOException {
        JsonNode chunk = Documents.JSON.readTree(event);
        if (chunk.has("error")) {
            throw CliFailure.failed("%s", chunk.at("/error/message").asText());
        }
        return chunk.at("/choices/0/delta/content").asText("");
    }
}
