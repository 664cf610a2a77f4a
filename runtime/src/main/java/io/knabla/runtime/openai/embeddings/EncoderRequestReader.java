package io.knabla.runtime.openai.embeddings;

import io.knabla.functions.unit.encoder.EncoderSettings;
import io.knabla.functions.unit.encoder.Prompts;
import io.knabla.functions.unit.encoder.Prompts.Prompt;
import io.knabla.runtime.encoder.EncodedText;
import io.knabla.runtime.http.HttpRequest;
import io.knabla.runtime.json.Json;
import io.knabla.runtime.openai.KnownFields;
import io.knabla.runtime.openai.OpenAiException;
import io.knabla.runtime.openai.RequestFields;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads requests for embeddings and for ranks; each fault names its field. */
final class EncoderRequestReader {
    private static final KnownFields EMBEDDINGS =
            KnownFields.only("model", "input", "dimensions", "encoding_format", PromptChoice.FIELD);
    private static final KnownFields RERANK =
            KnownFields.only("model", "query", "documents", "top_n", "return_documents");
    private static final String DOCUMENTS = "documents";

    private final String model;
    private final EncoderSettings settings;
    private final TextTokens tokens;
    private final PromptChoice prompts;

    /** @param name under which the model is served */
    EncoderRequestReader(String name, EncoderModel opened) {
        this.model = name;
        this.settings = opened.settings();
        this.tokens = new TextTokens(opened.tokenizer(), settings.maxTokens());
        this.prompts = new PromptChoice(
                settings.output() instanceof EncoderSettings.Embedding embedding ? embedding.prompts() : Prompts.NONE);
    }

    EmbeddingsRequest embeddings(HttpRequest request) {
        RequestFields fields = RequestFields.read(request.body(), request.bodyLength());
        if (fields.value("model").isEmpty()) {
            fields.fault("model", "'model' is missing; it names the function: '%s'", model);
        }
        checkModel(fields);
        EMBEDDINGS.check(fields);
        int width = settings.output().width();
        int dimensions = (int) fields.whole("dimensions", 1, width).orElse(width);
        String format = fields.text("encoding_format").orElse("float");
        if (!format.equals("float") && !format.equals("base64")) {
            fields.fault(
                    "encoding_format",
                    "'encoding_format' is %s; it must be 'float' or 'base64'",
                    RequestFields.quote(format));
        }
        EmbeddingInputs.check(fields);
        Optional<Prompt> prompt = prompts.of(fields);
        fields.throwFaults();
        List<EncodedText> texts = new EmbeddingInputs(tokens, prompt, settings.vocabulary()).encode(fields);
        return new EmbeddingsRequest(texts, dimensions, format.equals("base64"));
    }

    RerankRequest rerank(HttpRequest request) {
        RequestFields fields = RequestFields.read(request.body(), request.bodyLength());
        checkModel(fields);
        RERANK.check(fields);
        if (fields.value("query").isEmpty()) {
            fields.fault("query", "'query' is missing; write what the documents are compared with");
        }
        String query = fields.text("query").orElse("");
        List<String> documents = documents(fields);
        int top = (int) fields.whole("top_n", 1, Integer.MAX_VALUE).orElse(documents.size());
        boolean returned = fields.flag("return_documents");
        fields.throwFaults();
        List<EncodedText> pairs = new ArrayList<>();
        for (int i = 0; i < documents.size(); i++) {
            pairs.add(tokens.ofPair("%s[%d]".formatted(DOCUMENTS, i), query, documents.get(i)));
        }
        return new RerankRequest(
                RequestLimits.checked(DOCUMENTS, pairs), documents, Math.min(top, documents.size()), returned);
    }

    private static List<String> documents(RequestFields fields) {
        boolean listed = fields.value(DOCUMENTS).orElse(null) instanceof Json.Items(List<Json> items)
                && items.stream().allMatch(item -> item instanceof Json.Text);
        if (!listed) {
            fields.fault(DOCUMENTS, "'documents' must be a list of strings, and not empty");
            return List.of();
        }
        List<Json> items = ((Json.Items) fields.value(DOCUMENTS).orElseThrow()).items();
        if (items.size() > RequestLimits.MOST_TEXTS) {
            fields.fault(
                    DOCUMENTS,
                    "'documents' has %d texts; at most %d are allowed",
                    items.size(),
                    RequestLimits.MOST_TEXTS);
        }
        return items.stream().map(item -> ((Json.Text) item).text()).toList();
    }

    /** Behind an address of several functions a client writes NAMESPACE/NAME. */
    private void checkModel(RequestFields fields) {
        fields.text("model")
                .filter(named -> !named.equals(model) && !named.endsWith("/" + model))
                .ifPresent(named -> {
                    throw OpenAiException.unknownModel("model %s is not served here; this function is '%s'"
                            .formatted(RequestFields.quote(named), model));
                });
    }
}
