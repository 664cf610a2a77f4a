package io.knabla.runtime.openai;

import io.knabla.functions.unit.generation.GenerationSettings;
import io.knabla.runtime.generation.GenerationRequest;
import io.knabla.runtime.http.HttpRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** Reads requests for chat completions and completions. */
final class TaskReader {
    private static final int MOST_TEXTS = 8;
    private static final String MESSAGES = "messages";

    private final String model;
    private final GenerationSettings settings;
    private final PromptEncoder encoder;
    private final ChatPrompts chats;
    private final TokenTexts texts;
    private final ModelGrammars grammars;

    /** @param name under which the model is served */
    TaskReader(String name, GenerationModel opened) {
        this.model = name;
        this.settings = opened.generator().settings();
        this.texts = new TokenTexts(opened.generator().tokenizer());
        this.encoder = new PromptEncoder(texts.tokenizer(), settings.limits().contextLength() - 1);
        this.chats = new ChatPrompts(opened);
        this.grammars = new ModelGrammars(opened.generator());
    }

    PromptEncoder encoder() {
        return encoder;
    }

    AnswerTask chat(HttpRequest request) {
        RequestFields fields = fields(request);
        KnownFields.CHAT.check(fields);
        Options options = OptionsReader.chat(fields, settings, grammars);
        List<Map<String, String>> messages = MessagesReader.read(fields);
        Map<String, Object> variables = TemplateVariables.read(fields);
        fields.throwFaults();
        // Rendering a text of many megabytes would take the template's steps, and say less.
        messages.forEach(message -> encoder.refuseLong(MESSAGES, message.get("content")));
        int[] prompt = encoder.encode(MESSAGES, chats.prompt(messages, variables, true), false);
        boolean logprobs = options.logprobs() != GenerationRequest.NO_LOGPROBS;
        return task(List.of(prompt), options, new ChatForm(texts, logprobs), MESSAGES);
    }

    AnswerTask completion(HttpRequest request) {
        RequestFields fields = fields(request);
        KnownFields.COMPLETION.check(fields);
        Options options = OptionsReader.completion(fields, settings, grammars);
        var prompts = new Prompts(fields, encoder, settings.shape().vocabulary());
        prompts.check();
        fields.throwFaults();
        List<int[]> all = prompts.encode();
        int count = all.size() * options.choices();
        if (count > MOST_TEXTS) {
            throw OpenAiException.bad(
                    "n",
                    "%d prompts with 'n' %d are %d texts; at most %d are generated for one request"
                            .formatted(all.size(), options.choices(), count, MOST_TEXTS));
        }
        boolean logprobs = options.logprobs() != GenerationRequest.NO_LOGPROBS;
        return task(all, options, new CompletionForm(texts, logprobs, count), "prompt");
    }

    private AnswerTask task(List<int[]> prompts, Options options, AnswerForm form, String param) {
        checkFits(prompts.size() * options.choices(), options.choices());
        int context = settings.limits().contextLength();
        List<GenerationRequest> requests = new ArrayList<>();
        for (int[] prompt : prompts) {
            IntStream.range(0, options.choices())
                    .forEach(choice -> requests.add(options.request(prompt, choice, context)));
        }
        return new AnswerTask(requests, options.choices(), options, form, param);
    }

    /** More texts than ever find room are no reason to call again later. */
    private void checkFits(int texts, int choices) {
        int most = settings.limits().mostTexts();
        if (texts > most) {
            throw OpenAiException.bad(
                    "n",
                    "the request asks for %d texts, 'n' %d for each prompt; this function takes at most %d at once; ask for fewer, or raise generation.maxSequences or generation.queue.max"
                            .formatted(texts, choices, most));
        }
    }

    /** The ids of the tokens of a prompt or a conversation. */
    int[] tokens(HttpRequest request) {
        RequestFields fields = RequestFields.read(request.body(), request.bodyLength());
        KnownFields.TOKENIZE.check(fields);
        fields.text("model").ifPresent(this::checkModel);
        boolean conversation = fields.value(MESSAGES).isPresent();
        if (conversation == fields.value("prompt").isPresent()) {
            fields.fault("prompt", "either 'prompt' or 'messages' must be there");
        }
        boolean special =
                fields.value("add_special_tokens").isPresent() ? fields.flag("add_special_tokens") : !conversation;
        boolean answer = fields.value("add_generation_prompt").isEmpty() || fields.flag("add_generation_prompt");
        String text = fields.text("prompt").orElse("");
        List<Map<String, String>> messages = conversation ? MessagesReader.read(fields) : List.of();
        Map<String, Object> variables = TemplateVariables.read(fields);
        fields.throwFaults();
        return conversation
                ? encoder.ids(MESSAGES, chats.prompt(messages, variables, answer), special)
                : encoder.ids("prompt", text, special);
    }

    private RequestFields fields(HttpRequest request) {
        RequestFields fields = RequestFields.read(request.body(), request.bodyLength());
        if (fields.value("model").isEmpty()) {
            fields.fault("model", "'model' is missing; it names the function: '%s'", model);
        }
        fields.text("model").ifPresent(this::checkModel);
        return fields;
    }

    /** Behind an address of several functions a client writes NAMESPACE/NAME. */
    private void checkModel(String named) {
        if (!named.equals(model) && !named.endsWith("/" + model)) {
            throw OpenAiException.unknownModel(
                    "model %s is not served here; this function is '%s'".formatted(RequestFields.quote(named), model));
        }
    }
}
