package io.knabla.functions.tokenizer.compile;

import io.knabla.functions.tokenizer.spec.SpecReader;
import io.knabla.functions.tokenizer.spec.Vocabulary;
import io.knabla.functions.tokenizer.tree.Faults;
import io.knabla.functions.tokenizer.tree.Fields;
import io.knabla.functions.tokenizer.tree.Tree;
import io.knabla.functions.tokenizer.tree.Tree.Decimal;
import io.knabla.functions.tokenizer.tree.Tree.Mapping;
import io.knabla.functions.tokenizer.tree.Tree.Sequence;
import io.knabla.functions.tokenizer.tree.Tree.Text;
import io.knabla.functions.tokenizer.tree.Tree.Whole;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Reads the vocabulary of a model: ids by token, or for Unigram a list of tokens with scores. */
final class VocabularyReader implements Vocabulary {
    private final Map<String, Integer> ids = new HashMap<>();
    private final List<String> tokens = new ArrayList<>();
    private final List<Double> scores = new ArrayList<>();
    private final Faults faults;

    private VocabularyReader(Faults faults) {
        this.faults = faults;
    }

    static VocabularyReader read(Fields model) {
        var reader = new VocabularyReader(model.faults());
        switch (model.value("vocab")) {
            case Mapping(var entries) -> reader.mapping(entries, model.path("vocab"));
            case Sequence(var items) -> reader.list(items, model.path("vocab"));
            case Tree other -> model.fault("vocab", "found %s; the tokens are needed", other.kind());
        }
        return reader;
    }

    private void mapping(Map<String, Tree> entries, String path) {
        entries.forEach((token, value) -> {
            if (value instanceof Whole(var id) && id >= 0 && id < SpecReader.MAX_ID) {
                put(token, (int) id, path);
            } else {
                faults.add(
                        path,
                        "%s has the id %s; a whole number from 0 to %d is needed",
                        Faults.quote(token),
                        value.kind(),
                        SpecReader.MAX_ID - 1);
            }
        });
    }

    private void list(List<Tree> items, String path) {
        if (items.size() > SpecReader.MAX_ID) {
            faults.add(path, "%d tokens; at most %d are allowed", items.size(), SpecReader.MAX_ID);
            return;
        }
        for (Tree item : items) {
            int id = scores.size();
            if (item instanceof Sequence(var pair) && pair.size() == 2 && pair.getFirst() instanceof Text(var token)) {
                scores.add(score(pair.getLast(), path + "[" + id + "][1]"));
                put(token, id, path);
            } else {
                faults.add(path + "[" + id + "]", "found %s; a list of a token and its score is needed", item.kind());
                scores.add(0.0);
            }
        }
    }

    private double score(Tree value, String path) {
        double score = switch (value) {
            case Whole(var number) -> number;
            case Decimal(var number) -> number;
            default -> Double.NaN;
        };
        if (!Double.isFinite(score)) {
            faults.add(path, "found %s; a finite number is needed", value.kind());
        }
        return score;
    }

    private void put(String token, int id, String path) {
        if (token.length() > SpecReader.LONGEST_TOKEN) {
            faults.add(path, "%s is longer than %d characters", Faults.quote(token), SpecReader.LONGEST_TOKEN);
        }
        if (ids.putIfAbsent(token, id) != null) {
            faults.add(path, "%s is written twice; remove one of them", Faults.quote(token));
        }
        while (tokens.size() <= id) {
            tokens.add(null);
        }
        String other = tokens.set(id, token);
        if (other != null) {
            faults.add(
                    path, "%s and %s have one id, %d; give each its own", Faults.quote(other), Faults.quote(token), id);
        }
    }

    @Override
    public int id(String token) {
        return ids.getOrDefault(token, -1);
    }

    /** Tokens by id; null where there is none. */
    List<String> tokens() {
        return Collections.unmodifiableList(tokens);
    }

    double[] scores() {
        return scores.stream().mapToDouble(Double::doubleValue).toArray();
    }

    /** Ids that have a token. */
    BitSet used() {
        var used = new BitSet(tokens.size());
        ids.values().forEach(used::set);
        return used;
    }
}
