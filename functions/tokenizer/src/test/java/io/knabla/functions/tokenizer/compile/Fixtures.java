package io.knabla.functions.tokenizer.compile;

import io.knabla.functions.tokenizer.Tokenizer;
import io.knabla.functions.tokenizer.tree.Faults;
import io.knabla.functions.tokenizer.tree.Tree;
import io.knabla.functions.tokenizer.tree.Tree.Flag;
import io.knabla.functions.tokenizer.tree.Tree.Mapping;
import io.knabla.functions.tokenizer.tree.Tree.Sequence;
import io.knabla.functions.tokenizer.tree.Tree.Text;
import io.knabla.functions.tokenizer.tree.Tree.Whole;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.List;

/** Tokenizers and expectations that fixtures.py has made with Hugging Face's library. */
public final class Fixtures {
    /** Names of all tokenizers. */
    public static final List<String> NAMES = List.of(
            "gpt2",
            "roberta",
            "llama3",
            "qwen2",
            "o200k",
            "deepseek",
            "bloom",
            "llama2",
            "mistral",
            "unknowns",
            "bert",
            "bert_cased",
            "unigram",
            "unigram_bytes");

    private Fixtures() {}

    /** Bytes of a file of fixtures.py. */
    public static byte[] bytes(String name) {
        try (InputStream in = Fixtures.class.getResourceAsStream("/tokenizers/" + name + ".json")) {
            return in.readAllBytes();
        } catch (IOException bad) {
            throw new UncheckedIOException(bad);
        }
    }

    public static Tree json(String name) {
        var faults = new Faults();
        Tree tree = TreeJson.read(bytes(name), faults);
        if (!faults.isEmpty()) {
            throw new IllegalStateException(faults.list().toString());
        }
        return tree;
    }

    public static byte[] table(String name) {
        return switch (TokenizerCompiler.compile(bytes(name))) {
            case Compiled.Valid(var table) -> table;
            case Compiled.Invalid(var faults) -> throw new IllegalStateException(name + ": " + faults);
        };
    }

    public static Tokenizer tokenizer(String name) {
        return Tokenizer.of(ByteBuffer.wrap(table(name)));
    }

    public static List<Tree> list(Tree tree, String key) {
        return list(((Mapping) tree).entries().get(key));
    }

    public static List<Tree> list(Tree tree) {
        return ((Sequence) tree).items();
    }

    public static String text(Tree tree) {
        return ((Text) tree).value();
    }

    public static boolean flag(Tree tree) {
        return ((Flag) tree).value();
    }

    public static int[] ids(Tree tree) {
        return list(tree).stream().mapToInt(id -> (int) ((Whole) id).value()).toArray();
    }
}
