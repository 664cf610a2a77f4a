package io.knabla.runtime.openai;

import io.knabla.functions.chat.ChatTemplate;
import io.knabla.functions.chat.Parsed;
import io.knabla.functions.chat.Rendered;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Makes prompts of conversations by the model's chat template. */
final class ChatPrompts {
    private final GenerationModel model;

    ChatPrompts(GenerationModel model) {
        this.model = model;
    }

    /**
     * @param own variables of the template that the caller gives
     * @param answer whether the prompt ends where the answer begins
     */
    String prompt(List<Map<String, String>> messages, Map<String, Object> own, boolean answer) {
        Map<String, Object> variables =
                new HashMap<>(model.generator().settings().specialTokens());
        variables.putAll(own);
        variables.put("add_generation_prompt", answer);
        // Templates ask whether they are none, as the transformers library gives them.
        variables.put("tools", null);
        variables.put("documents", null);
        return switch (template().render(messages, variables)) {
            case Rendered.Text(String text) -> text;
            case Rendered.Refused(String sentence) -> throw OpenAiException.bad("messages", sentence);
        };
    }

    private ChatTemplate template() {
        Parsed parsed = model.template()
                .orElseThrow(() -> OpenAiException.bad(
                        "messages", "the model has no chat template; call /v1/completions with a prompt"));
        return switch (parsed) {
            case Parsed.Valid(ChatTemplate template) -> template;
            case Parsed.Invalid(var faults) ->
                throw OpenAiException.bad(
                        "messages",
                        "the chat template of the model is not supported (%s); call /v1/completions with a prompt"
                                .formatted(faults.stream()
                                        .limit(3)
                                        .map(Object::toString)
                                        .collect(Collectors.joining("; "))));
        };
    }
}
