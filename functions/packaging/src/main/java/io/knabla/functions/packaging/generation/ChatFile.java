package io.knabla.functions.packaging.generation;

import com.fasterxml.jackson.databind.JsonNode;
import io.knabla.functions.Fault;
import io.knabla.functions.chat.ChatTemplate;
import io.knabla.functions.chat.Parsed;
import io.knabla.functions.decoder.folder.FolderJson;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The chat template of a folder, and the special tokens that it may name: from chat_template.jinja, else from
 * tokenizer_config.json.
 *
 * @param specialTokens texts by names such as {@code bos_token}
 */
record ChatFile(Optional<String> template, Map<String, String> specialTokens) {
    static final String TEMPLATE = "chat_template.jinja";
    static final String TOKENIZER = "tokenizer_config.json";

    private static final int MAX_BYTES = 1 << 20;
    private static final List<String> TOKENS = List.of("bos_token", "eos_token", "unk_token", "pad_token");

    static ChatFile read(Path folder, List<Fault> faults) throws IOException {
        JsonNode tree = new FolderJson(folder, TOKENIZER, faults).tree();
        Optional<String> own = ownFile(folder, faults);
        Optional<String> template = own.isPresent() ? own : inTokenizer(tree.path("chat_template"));
        template.ifPresent(source -> check(source, own.isPresent() ? TEMPLATE : TOKENIZER, faults));
        return new ChatFile(template, specialTokens(tree));
    }

    private static void check(String source, String file, List<Fault> faults) {
        switch (ChatTemplate.parse(source)) {
            case Parsed.Valid _ -> {}
            case Parsed.Invalid(var wrong) ->
                wrong.forEach(fault -> faults.add(new Fault(file, "chat template, " + fault)));
        }
    }

    private static Optional<String> ownFile(Path folder, List<Fault> faults) throws IOException {
        Path file = folder.resolve(TEMPLATE);
        if (!Files.isRegularFile(file)) {
            return Optional.empty();
        }
        if (Files.size(file) > MAX_BYTES) {
            faults.add(new Fault(TEMPLATE, "has %d bytes, allowed are %d".formatted(Files.size(file), MAX_BYTES)));
            return Optional.empty();
        }
        try {
            return Optional.of(Files.readString(file));
        } catch (CharacterCodingException otherCharacters) {
            faults.add(new Fault(TEMPLATE, "is not UTF-8 text; save it as UTF-8"));
            return Optional.empty();
        }
    }

    /** One template, or several by name, of which chats use {@code default}. */
    private static Optional<String> inTokenizer(JsonNode value) {
        if (value.isTextual()) {
            return Optional.of(value.textValue());
        }
        for (JsonNode named : value) {
            if (named.path("name").asText().equals("default")) {
                return Optional.of(named.path("template").asText());
            }
        }
        return Optional.empty();
    }

    private static Map<String, String> specialTokens(JsonNode tree) {
        Map<String, String> texts = new TreeMap<>();
        for (String name : TOKENS) {
            JsonNode token = tree.path(name);
            String text = token.isObject() ? token.path("content").asText("") : token.asText("");
            if (!text.isEmpty() && !token.isNull()) {
                texts.put(name, text);
            }
        }
        return texts;
    }
}
