package io.knabla.functions.tokenizer.spec;

import io.knabla.functions.tokenizer.tree.Faults;
import io.knabla.functions.tokenizer.tree.Fields;
import io.knabla.functions.tokenizer.tree.Tree;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;

/** Reads a tokenizer from the tree of a tokenizer.json, and reports all its faults. */
public final class SpecReader {
    /** Token ids are below it. */
    public static final int MAX_ID = 1 << 22;

    /** Longest content of an added token in characters. */
    public static final int LONGEST_TOKEN = 4096;

    private static final int MOST_ADDED = 1 << 16;

    private SpecReader() {}

    /**
     * Reads everything but the vocabulary and the merges; the result is usable if there are no faults.
     *
     * <p>{@code truncation} and {@code padding} are left to the caller of the tokenizer, and not read.
     */
    public static TokenizerSpec read(Tree tree, Vocabulary vocabulary, Faults faults) {
        Fields root = Fields.of(tree, "", faults);
        root.value("version");
        root.value("truncation");
        root.value("padding");
        var spec = new TokenizerSpec(
                added(root, vocabulary),
                NormalizerReader.read(root, "normalizer"),
                PreTokenizerReader.read(root, "pre_tokenizer"),
                ModelReader.read(root.object("model"), vocabulary),
                TemplateReader.read(root, "post_processor"),
                DecoderReader.read(root, "decoder"));
        root.nothingElse();
        return spec;
    }

    private static List<AddedToken> added(Fields root, Vocabulary vocabulary) {
        List<AddedToken> added = new ArrayList<>();
        if (root.has("added_tokens")) {
            var contents = new HashSet<String>();
            var ids = new HashSet<Integer>();
            for (Fields fields : root.objects("added_tokens", MOST_ADDED)) {
                AddedToken token = added(fields);
                check(token, fields, vocabulary);
                if (!contents.add(token.content())) {
                    fields.fault("content", "written twice; remove one of the tokens");
                }
                if (!ids.add(token.id())) {
                    fields.fault("id", "%d belongs to another added token; give each its own", token.id());
                }
                added.add(token);
            }
        }
        return added;
    }

    private static AddedToken added(Fields fields) {
        var token = new AddedToken(
                fields.count("id", MAX_ID - 1),
                fields.text("content"),
                fields.flag("special", false),
                fields.flag("lstrip", false),
                fields.flag("rstrip", false),
                fields.flag("single_word", false),
                fields.flag("normalized", true));
        fields.nothingElse();
        return token;
    }

    private static void check(AddedToken token, Fields fields, Vocabulary vocabulary) {
        if (token.content().isEmpty() || token.content().length() > LONGEST_TOKEN) {
            fields.fault("content", "a text of 1 to %d characters is needed", LONGEST_TOKEN);
        }
        int inModel = vocabulary.id(token.content());
        if (inModel >= 0 && inModel != token.id()) {
            fields.fault("id", "found %d; the model's vocabulary gives this token %d", token.id(), inModel);
        }
    }
}
