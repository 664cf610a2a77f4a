package io.knabla.controller.clients;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.knabla.functions.decoder.CharacterModel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** OpenAI's client for Python, through the platform's own {@code /v1} and below a function's root. */
class OpenAiClientOnPlatform {
    private static final int CONTEXT = 4096;

    @TempDir
    static Path home;

    @TempDir
    static Path folder;

    @Test
    void talksWithAFunction() throws Exception {
        ObjectNode function = new JsonMapper().createObjectNode();
        function.put("apiVersion", "knabla.dev/v1alpha1").put("kind", "Function");
        function.putObject("metadata").put("name", "writer");
        function.putObject("spec")
                .put("type", "Generation")
                .put("model", CharacterModel.write(folder.resolve("model"), CONTEXT) + "/");
        Path file = Files.writeString(folder.resolve("function.yaml"), function.toString());
        try (var targets = new ClientTargets(home, Map.of())) {
            targets.deploy(file);
            new PythonScript("openai_chat").run(targets.onPlatform());
        }
    }
}
