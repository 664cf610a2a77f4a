package io.knabla.functions.tokenizer.compile;

import io.knabla.functions.tokenizer.spec.AddedToken;
import io.knabla.functions.tokenizer.spec.Model;
import io.knabla.functions.tokenizer.spec.SpecReader;
import io.knabla.functions.tokenizer.spec.TokenizerSpec;
import io.knabla.functions.tokenizer.table.TableContent;
import io.knabla.functions.tokenizer.tree.Faults;
import io.knabla.functions.tokenizer.tree.Fields;
import io.knabla.functions.tokenizer.tree.Tree;
import io.knabla.functions.tokenizer.tree.Tree.Mapping;
import io.knabla.functions.tokenizer.tree.Tree.Text;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Compiles the tokenizer.json of Hugging Face's tokenizers to a table. */
public final class TokenizerCompiler {
    /** Largest document in bytes. */
    public static final int MAX_BYTES = 128 << 20;

    private static final int MOST_KEYS = 20;

    private TokenizerCompiler() {}

    /**
     * Compiles a document, or reports all its faults. A document that is not JSON has one fault; so has one that
     * exceeds {@link #MAX_BYTES}, a nesting of 48 or 16 million values.
     */
    public static Compiled compile(byte[] json) {
        var faults = new Faults();
        if (json.length > MAX_BYTES) {
            faults.add("", "it has %d bytes; at most %d are allowed", json.length, MAX_BYTES);
            return new Compiled.Invalid(faults.list());
        }
        Optional<TableContent> content = content(json, faults);
        return content.isPresent() && faults.isEmpty() ? table(content.get()) : new Compiled.Invalid(faults.list());
    }

    /** Empty if it added a fault. */
    private static Optional<TableContent> content(byte[] json, Faults faults) {
        Tree tree = TreeJson.read(json, faults);
        if (!(tree instanceof Mapping(var entries))) {
            faults.add("", "an object is needed, as Hugging Face's tokenizers write it");
            return Optional.empty();
        }
        if (!entries.containsKey("model")) {
            String keys = entries.keySet().stream().limit(MOST_KEYS).collect(Collectors.joining(", "));
            faults.add("model", "missing; an object with the vocabulary is needed; the document has: %s", keys);
            return Optional.empty();
        }
        return Optional.of(content(withModelType(tree), faults));
    }

    private static Compiled table(TableContent content) {
        var faults = new Faults();
        try {
            return new Compiled.Valid(content.write());
        } catch (IllegalArgumentException | ArithmeticException tooMuch) {
            faults.add("model", "cannot be written: %s", tooMuch.getMessage());
            return new Compiled.Invalid(faults.list());
        }
    }

    private static TableContent content(Tree tree, Faults faults) {
        Fields fields = Fields.of(tree, "", faults).object("model");
        var vocabulary = VocabularyReader.read(fields);
        TokenizerSpec spec = SpecReader.read(tree, vocabulary, faults);
        int[] merges = spec.model() instanceof Model.Bpe bpe ? MergesReader.read(fields, vocabulary, bpe) : new int[0];
        double[] scores = spec.model() instanceof Model.Unigram ? vocabulary.scores() : new double[0];
        if (spec.model() instanceof Model.Unigram unigram && unigram.unknownId() >= scores.length) {
            fields.fault("unk_id", "%d is not in the vocabulary of %d tokens", unigram.unknownId(), scores.length);
        }
        List<String> tokens = withAdded(vocabulary, spec.added(), faults);
        boolean trie = !(spec.model() instanceof Model.Bpe);
        return new TableContent(settings(tree), tokens, vocabulary.used(), merges, scores, trie);
    }

    private static List<String> withAdded(VocabularyReader vocabulary, List<AddedToken> added, Faults faults) {
        List<String> tokens = new ArrayList<>(vocabulary.tokens());
        for (int i = 0; i < added.size(); i++) {
            AddedToken token = added.get(i);
            while (tokens.size() <= token.id()) {
                tokens.add(null);
            }
            String other = tokens.set(token.id(), token.content());
            if (other != null && !other.equals(token.content())) {
                faults.add(
                        "added_tokens[%d].id".formatted(i),
                        "%d belongs to %s; give each its own",
                        token.id(),
                        Faults.quote(other));
            }
        }
        return tokens;
    }

    /** Older files do not name the type of the model. */
    private static Tree withModelType(Tree tree) {
        var entries = ((Mapping) tree).entries();
        if (!(entries.get("model") instanceof Mapping(var model)) || model.containsKey("type")) {
            return tree;
        }
        String type = model.containsKey("merges") ? "BPE" : model.containsKey("unk_id") ? "Unigram" : "WordPiece";
        var typed = new LinkedHashMap<>(model);
        typed.put("type", new Text(type));
        return with(entries, "model", new Mapping(typed));
    }

    private static Tree settings(Tree tree) {
        var entries = ((Mapping) tree).entries();
        if (!(entries.get("model") instanceof Mapping(var all))) {
            return tree;
        }
        var model = new LinkedHashMap<>(all);
        model.remove("vocab");
        model.remove("merges");
        return with(entries, "model", new Mapping(model));
    }

    private static Mapping with(Map<String, Tree> entries, String key, Tree value) {
        var changed = new LinkedHashMap<>(entries);
        changed.put(key, value);
        return new Mapping(changed);
    }
}
