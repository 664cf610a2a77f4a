package io.knabla.functions.tokenizer.compile;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import io.knabla.functions.tokenizer.tree.Faults;
import io.knabla.functions.tokenizer.tree.Tree;
import io.knabla.functions.tokenizer.tree.Tree.Decimal;
import io.knabla.functions.tokenizer.tree.Tree.Flag;
import io.knabla.functions.tokenizer.tree.Tree.Mapping;
import io.knabla.functions.tokenizer.tree.Tree.Nothing;
import io.knabla.functions.tokenizer.tree.Tree.Sequence;
import io.knabla.functions.tokenizer.tree.Tree.Text;
import io.knabla.functions.tokenizer.tree.Tree.Whole;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Parses JSON into a tree under limits. */
final class TreeJson {
    private static final int DEEPEST = 48;
    private static final int MOST_VALUES = 16 << 20;
    private static final int LONGEST_TEXT = 16 << 20;

    private static final JsonFactory JSON = JsonFactory.builder()
            .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(DEEPEST)
                    .maxStringLength(LONGEST_TEXT)
                    .maxNameLength(64 << 10)
                    .maxNumberLength(64)
                    .build())
            .build();

    private final JsonParser parser;
    private final Faults faults;
    private int values;

    private TreeJson(JsonParser parser, Faults faults) {
        this.parser = parser;
        this.faults = faults;
    }

    /** The tree; empty, with a fault, for what is not JSON or beyond the limits. */
    static Tree read(byte[] json, Faults faults) {
        try (JsonParser parser = JSON.createParser(json)) {
            parser.nextToken();
            Tree tree = new TreeJson(parser, faults).value("");
            if (parser.nextToken() != null) {
                faults.add("", "something follows the JSON document; remove it");
            }
            return tree;
        } catch (IOException bad) {
            String where = bad.getMessage().lines().findFirst().orElse("");
            faults.add("", "not JSON, or beyond what is allowed: %s", where);
            return new Nothing();
        }
    }

    private Tree value(String path) throws IOException {
        if (++values > MOST_VALUES) {
            throw new IOException("more than %d values".formatted(MOST_VALUES));
        }
        JsonToken token = parser.currentToken();
        return switch (token) {
            case START_OBJECT -> mapping(path);
            case START_ARRAY -> sequence(path);
            case VALUE_STRING -> new Text(wellFormed(parser.getText(), path));
            case VALUE_NUMBER_INT -> whole();
            case VALUE_NUMBER_FLOAT -> new Decimal(parser.getDoubleValue());
            case VALUE_TRUE, VALUE_FALSE -> new Flag(token == JsonToken.VALUE_TRUE);
            case VALUE_NULL -> new Nothing();
            case null, default -> throw new IOException("the document ends too early");
        };
    }

    private Tree whole() throws IOException {
        return parser.getNumberType() == JsonParser.NumberType.BIG_INTEGER
                ? new Decimal(parser.getDoubleValue())
                : new Whole(parser.getLongValue());
    }

    private Mapping mapping(String path) throws IOException {
        Map<String, Tree> entries = new LinkedHashMap<>();
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String key = wellFormed(parser.currentName(), path);
            String at = path.isEmpty() ? key : path + "." + key;
            parser.nextToken();
            if (entries.put(key, value(at)) != null) {
                faults.add(path, "%s is written twice; remove one of them", Faults.quote(key));
            }
        }
        return new Mapping(entries);
    }

    private Sequence sequence(String path) throws IOException {
        List<Tree> items = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            items.add(value(path));
        }
        return new Sequence(items);
    }

    private String wellFormed(String text, String path) {
        for (int i = 0; i < text.length(); i++) {
            if (Character.isSurrogate(text.charAt(i))) {
                int c = text.codePointAt(i);
                if (!Character.isSupplementaryCodePoint(c)) {
                    faults.add(
                            path, "%s has a lone surrogate; tokens are texts of whole characters", Faults.quote(text));
                    return text.replaceAll("\\p{Cs}", "\ufffd");
                }
                i++;
            }
        }
        return text;
    }
}
