package io.knabla.functions.tokenizer.tree;

import io.knabla.functions.tokenizer.tree.Tree.Decimal;
import io.knabla.functions.tokenizer.tree.Tree.Flag;
import io.knabla.functions.tokenizer.tree.Tree.Mapping;
import io.knabla.functions.tokenizer.tree.Tree.Nothing;
import io.knabla.functions.tokenizer.tree.Tree.Sequence;
import io.knabla.functions.tokenizer.tree.Tree.Text;
import io.knabla.functions.tokenizer.tree.Tree.Whole;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Writes trees as bytes and reads them: a byte for the kind, four for each length, big-endian. */
public final class TreeBytes {
    private static final int DEEPEST = 64;

    private TreeBytes() {}

    public static byte[] write(Tree tree) {
        var bytes = new ByteArrayOutputStream();
        try (var out = new DataOutputStream(bytes)) {
            write(out, tree);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return bytes.toByteArray();
    }

    private static void write(DataOutputStream out, Tree tree) throws IOException {
        switch (tree) {
            case Nothing _ -> out.writeByte(0);
            case Flag(var flag) -> out.writeByte(flag ? 2 : 1);
            case Whole(var number) -> {
                out.writeByte(3);
                out.writeLong(number);
            }
            case Decimal(var number) -> {
                out.writeByte(4);
                out.writeDouble(number);
            }
            case Text(var text) -> {
                out.writeByte(5);
                write(out, text);
            }
            case Sequence(var items) -> {
                out.writeByte(6);
                out.writeInt(items.size());
                for (Tree item : items) {
                    write(out, item);
                }
            }
            case Mapping(var entries) -> {
                out.writeByte(7);
                out.writeInt(entries.size());
                for (var entry : entries.entrySet()) {
                    write(out, entry.getKey());
                    write(out, entry.getValue());
                }
            }
        }
    }

    private static void write(DataOutputStream out, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    /**
     * Reads a tree that fills the buffer exactly.
     *
     * @throws IllegalArgumentException if the bytes are no tree
     */
    public static Tree read(ByteBuffer bytes) {
        ByteBuffer in = bytes.slice();
        try {
            Tree tree = read(in, 0);
            if (in.hasRemaining()) {
                throw new IllegalArgumentException("bytes follow its settings");
            }
            return tree;
        } catch (BufferUnderflowException tooShort) {
            throw new IllegalArgumentException("its settings end too early", tooShort);
        }
    }

    private static Tree read(ByteBuffer in, int depth) {
        if (depth > DEEPEST) {
            throw new IllegalArgumentException("its settings are nested deeper than " + DEEPEST);
        }
        byte kind = in.get();
        return switch (kind) {
            case 0 -> new Nothing();
            case 1, 2 -> new Flag(kind == 2);
            case 3 -> new Whole(in.getLong());
            case 4 -> new Decimal(in.getDouble());
            case 5 -> new Text(text(in));
            case 6 -> sequence(in, depth);
            case 7 -> mapping(in, depth);
            default -> throw new IllegalArgumentException("its settings have a value of unknown kind " + kind);
        };
    }

    private static Sequence sequence(ByteBuffer in, int depth) {
        int size = size(in);
        List<Tree> items = new ArrayList<>(size);
        for (int i = 0; i < size; i++) {
            items.add(read(in, depth + 1));
        }
        return new Sequence(items);
    }

    private static Mapping mapping(ByteBuffer in, int depth) {
        int size = size(in);
        Map<String, Tree> entries = LinkedHashMap.newLinkedHashMap(size);
        for (int i = 0; i < size; i++) {
            entries.put(text(in), read(in, depth + 1));
        }
        return new Mapping(entries);
    }

    private static String text(ByteBuffer in) {
        byte[] bytes = new byte[size(in)];
        in.get(bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    /** A length: no value takes less than a byte, so none exceeds what is left. */
    private static int size(ByteBuffer in) {
        int size = in.getInt();
        if (size < 0 || size > in.remaining()) {
            throw new IllegalArgumentException("its settings have an impossible length " + size);
        }
        return size;
    }
}
