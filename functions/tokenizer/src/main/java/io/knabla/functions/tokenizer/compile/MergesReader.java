package io.knabla.functions.tokenizer.compile;

import io.knabla.functions.tokenizer.spec.Model;
import io.knabla.functions.tokenizer.spec.Vocabulary;
import io.knabla.functions.tokenizer.tree.Faults;
import io.knabla.functions.tokenizer.tree.Fields;
import io.knabla.functions.tokenizer.tree.Tree;
import io.knabla.functions.tokenizer.tree.Tree.Sequence;
import io.knabla.functions.tokenizer.tree.Tree.Text;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** Reads merges: texts like {@code "a b"}, or lists of two tokens. */
final class MergesReader {
    private static final int MOST = 4 << 20;

    private record Pair(String left, String right) {}

    private final Fields model;
    private final Vocabulary vocabulary;
    private final String prefix;
    /** The last one wins where a pair is written twice. */
    private final Map<Long, int[]> merges = new HashMap<>();

    private int rank;

    private MergesReader(Fields model, Vocabulary vocabulary, String prefix) {
        this.model = model;
        this.vocabulary = vocabulary;
        this.prefix = prefix;
    }

    /** Left, right and resulting id of each merge, by rank. */
    static int[] read(Fields model, Vocabulary vocabulary, Model.Bpe bpe) {
        var reader = new MergesReader(model, vocabulary, bpe.prefix());
        List<Tree> items = model.items("merges", MOST);
        // Files of the first versions begin with a line about theirs.
        int skipped =
                !items.isEmpty() && items.getFirst() instanceof Text(var text) && text.startsWith("#version") ? 1 : 0;
        for (Tree item : items.subList(skipped, items.size())) {
            reader.add(item);
        }
        return reader.byRank();
    }

    private void add(Tree item) {
        Pair pair = pair(item);
        String path = "merges[" + rank + "]";
        if (pair == null) {
            model.fault(path, "found %s; two tokens are needed, as \"a b\" or [\"a\", \"b\"]", item.kind());
        } else {
            int left = known(pair.left, path);
            int right = known(pair.right, path);
            int result = right < 0 ? -1 : known(pair.left + withoutPrefix(pair.right), path);
            merges.put((long) left << 32 | right & 0xffffffffL, new int[] {rank, left, right, result});
        }
        rank++;
    }

    private static Pair pair(Tree item) {
        return switch (item) {
            case Text(var text) -> {
                int space = text.indexOf(' ');
                boolean two = space >= 0 && text.indexOf(' ', space + 1) < 0;
                yield two ? new Pair(text.substring(0, space), text.substring(space + 1)) : null;
            }
            case Sequence(var items)
            when items.size() == 2
                    && items.getFirst() instanceof Text(var left)
                    && items.getLast() instanceof Text(var right) -> new Pair(left, right);
            default -> null;
        };
    }

    private String withoutPrefix(String right) {
        return right.startsWith(prefix) ? right.substring(prefix.length()) : right;
    }

    private int known(String token, String path) {
        int id = vocabulary.id(token);
        if (id < 0) {
            model.fault(path, "%s is not in the vocabulary; add it, or remove the merge", Faults.quote(token));
        }
        return id;
    }

    private int[] byRank() {
        var ordered = new LinkedHashMap<Integer, int[]>();
        merges.values().stream()
                .sorted((a, b) -> Integer.compare(a[0], b[0]))
                .forEach(merge -> ordered.put(merge[0], merge));
        return ordered.values().stream()
                .flatMapToInt(merge -> IntStream.of(merge[1], merge[2], merge[3]))
                .toArray();
    }
}
