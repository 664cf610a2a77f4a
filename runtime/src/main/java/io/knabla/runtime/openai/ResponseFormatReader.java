package io.knabla.runtime.openai;

import io.knabla.runtime.generation.grammar.Grammars;
import io.knabla.runtime.generation.grammar.Grammars.Opened;
import io.knabla.runtime.generation.grammar.TokenGrammar;
import io.knabla.runtime.generation.grammar.schema.JsonValue;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;

/** Reads what form a text must have: OpenAI's field {@code response_format}. */
final class ResponseFormatReader {
    private static final String FIELD = "response_format";
    private static final String SCHEMA = "response_format.json_schema";
    private static final Set<String> SCHEMA_FIELDS = Set.of("name", "description", "strict", "schema");
    private static final Pattern NAME = Pattern.compile("[a-zA-Z0-9_-]{1,64}");

    private final RequestFields fields;
    private final ModelGrammars grammars;

    ResponseFormatReader(RequestFields fields, ModelGrammars grammars) {
        this.fields = fields;
        this.grammars = grammars;
    }

    /** The grammar of the text; empty if it may be any text, or if there is a fault. */
    Optional<TokenGrammar> read() {
        Optional<JsonValue> format = fields.exact(FIELD);
        if (format.isEmpty() || format.get() instanceof JsonValue.Null) {
            return Optional.empty();
        }
        Map<String, JsonValue> byName = format.get() instanceof JsonValue.Fields(var all) ? all : Map.of();
        String type = byName.get("type") instanceof JsonValue.Text(var text) ? text : "";
        boolean hasSchema = type.equals("json_schema");
        checkNames(FIELD, byName, hasSchema ? Set.of("type", "json_schema") : Set.of("type"));
        return switch (type) {
            case "text" -> Optional.empty();
            case "json_object" -> open(Grammars::anyObject);
            case "json_schema" -> schema(byName.get("json_schema"));
            default -> {
                fields.fault(FIELD, "'response_format' must have 'type': \"text\", \"json_object\" or \"json_schema\"");
                yield Optional.empty();
            }
        };
    }

    private void checkNames(String param, Map<String, JsonValue> byName, Set<String> known) {
        for (String name : byName.keySet()) {
            if (!known.contains(name)) {
                fields.fault(
                        param,
                        "'%s' has %s; it may have %s",
                        param,
                        RequestFields.quote(name),
                        String.join(", ", known.stream().sorted().toList()));
            }
        }
    }

    private Optional<TokenGrammar> schema(JsonValue value) {
        if (!(value instanceof JsonValue.Fields(var byName))) {
            fields.fault(SCHEMA, "'%s' must be an object with name and schema", SCHEMA);
            return Optional.empty();
        }
        checkNames(SCHEMA, byName, SCHEMA_FIELDS);
        if (!(byName.get("name") instanceof JsonValue.Text(var name))
                || !NAME.matcher(name).matches()) {
            fields.fault(SCHEMA + ".name", "'%s.name' must be 1 to 64 letters, digits, '_' and '-'", SCHEMA);
        }
        boolean strict = isStrict(byName.get("strict"));
        if (!(byName.get("schema") instanceof JsonValue.Fields root)) {
            fields.fault(SCHEMA + ".schema", "'%s.schema' must be an object", SCHEMA);
            return Optional.empty();
        }
        return open(model -> model.schema(root, strict));
    }

    private boolean isStrict(JsonValue value) {
        return switch (value) {
            case JsonValue.Flag(var strict) -> strict;
            case JsonValue.Null _ -> false;
            case null -> false;
            default -> {
                fields.fault(SCHEMA + ".strict", "'%s.strict' must be true or false", SCHEMA);
                yield false;
            }
        };
    }

    private Optional<TokenGrammar> open(Function<Grammars, Opened> opening) {
        Optional<Grammars> model = grammars.get();
        if (model.isEmpty()) {
            fields.fault(FIELD, "'response_format': the tokens of this model have no bytes of their own; leave it out");
            return Optional.empty();
        }
        return switch (opening.apply(model.get())) {
            case Opened.Usable(var grammar) -> Optional.of(grammar);
            case Opened.Refused(List<String> faults) -> {
                faults.forEach(fault -> fields.fault(SCHEMA + ".schema", "the schema at %s", fault));
                yield Optional.empty();
            }
        };
    }
}
