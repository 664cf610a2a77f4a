package io.knabla.functions.decoder;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The folder of a small language model without training, whose tokens are characters. */
public final class CharacterModel {
    private static final JsonMapper JSON = new JsonMapper();
    private static final String CHAT = "{\"chat_template\": \"{{ messages[0].content }}\"}";

    private CharacterModel() {}

    /** @param contextLength of a prompt and its answer, in tokens */
    public static Path write(Path folder, int contextLength) throws IOException {
        Path model = TestModel.of("llama").write(folder);
        Path config = model.resolve("config.json");
        ObjectNode longer = (ObjectNode) JSON.readTree(config.toFile());
        longer.put("max_position_embeddings", contextLength);
        Files.writeString(config, longer.toString());
        Files.writeString(model.resolve("tokenizer.json"), letters().toString());
        Files.writeString(model.resolve("tokenizer_config.json"), CHAT);
        return model;
    }

    /** One token for each printable character of ASCII, and one for the end of a line. */
    private static ObjectNode letters() {
        ObjectNode tokenizer = JSON.createObjectNode().put("version", "1.0");
        tokenizer.putArray("added_tokens");
        tokenizer.putObject("decoder").put("type", "Fuse");
        ObjectNode model = tokenizer.putObject("model").put("type", "BPE");
        ObjectNode ids = model.putObject("vocab");
        for (char letter = ' '; letter <= '~'; letter++) {
            ids.put(String.valueOf(letter), letter - ' ');
        }
        ids.put("\n", '~' - ' ' + 1);
        model.putArray("merges");
        return tokenizer;
    }
}
