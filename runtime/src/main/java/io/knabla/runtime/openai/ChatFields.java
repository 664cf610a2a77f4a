package io.knabla.runtime.openai;

import io.knabla.functions.unit.generation.SamplingDefaults;
import io.knabla.runtime.json.Json;
import java.util.List;
import java.util.random.RandomGenerator;

/** Reads the fields of a chat completion besides its messages. */
final class ChatFields {
    private ChatFields() {}

    static TextOptions options(RequestFields fields, SamplingDefaults defaults, RandomGenerator random) {
        fields.unsupported(
                "is not supported: this model calls no tools",
                "tools",
                "tool_choice",
                "functions",
                "function_call",
                "parallel_tool_calls");
        fields.unsupported(
                "is not supported: this model reads and writes text", "audio", "prediction", "web_search_options");
        fields.unsupported("is not supported", "reasoning_effort", "verbosity", "store");
        fields.ignore("user", "metadata", "service_tier", "safety_identifier", "prompt_cache_key");
        modalities(fields);
        responseFormat(fields);
        return TextOptions.ofChat(fields, defaults, random);
    }

    private static void modalities(RequestFields fields) {
        fields.find("modalities")
                .filter(given -> !given.equals(new Json.Items(List.of(new Json.Text("text")))))
                .ifPresent(_ -> fields.fault("modalities", "must be [\"text\"]: this model writes text"));
    }

    static void responseFormat(RequestFields fields) {
        fields.find("response_format")
                .filter(given -> !(given instanceof Json.Fields(var byName)
                        && byName.get("type") instanceof Json.Text(var type)
                        && type.equals("text")))
                .ifPresent(_ -> fields.fault(
                        "response_format", "must be {\"type\": \"text\"}; JSON by a schema is not supported"));
    }
}
