package io.knabla.functions.tokenizer.table;

import io.knabla.functions.tokenizer.tree.Tree;
import io.knabla.functions.tokenizer.tree.TreeBytes;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.DoubleBuffer;
import java.nio.IntBuffer;
import java.util.zip.CRC32C;

/**
 * Compiled tokenizer in a mapped file: tokens, merges, scores and settings. Immutable, safe for use by several threads.
 */
public final class Table {
    private final ByteBuffer file;
    private final Tree settings;
    private final TokenTable tokens;
    private final MergeTable merges;
    private final ByteTrie trie;
    private final DoubleBuffer scores;

    private Table(ByteBuffer file) {
        this.file = file;
        checkHeader();
        settings = readSettings();
        tokens = new TokenTable(ints(Section.TOKEN_ENDS), bytes(Section.TOKEN_BYTES), ints(Section.TOKEN_SLOTS));
        tokens.check();
        merges = new MergeTable(ints(Section.MERGES), ints(Section.MERGE_SLOTS));
        merges.check(tokens.size());
        trie = new ByteTrie(ints(Section.TRIE_CHILDREN), bytes(Section.TRIE_LABELS), ints(Section.TRIE_TOKENS))
                .checked(tokens.size());
        scores = bytes(Section.SCORES).asDoubleBuffer();
    }

    /**
     * Opens a table from position to limit of the buffer, which is kept and must not change.
     *
     * @throws BadTableException if the bytes are no table, or a damaged one
     */
    public static Table open(ByteBuffer file) {
        return new Table(file.slice().order(ByteOrder.LITTLE_ENDIAN));
    }

    private void checkHeader() {
        if (file.limit() < Section.headerBytes() || file.getLong(0) != Section.MAGIC) {
            throw new BadTableException("it does not begin like one");
        }
        int version = file.getInt(Long.BYTES);
        if (version != Section.VERSION) {
            throw new BadTableException("its version is %d, known is %d".formatted(version, Section.VERSION));
        }
        if (file.getLong(Section.SIZE_AT) != file.limit()) {
            throw new BadTableException(
                    "it has %d bytes, expected %d".formatted(file.limit(), file.getLong(Section.SIZE_AT)));
        }
        var checksum = new CRC32C();
        checksum.update(file.slice(Section.CHECKED_FROM, file.limit() - Section.CHECKED_FROM));
        if ((int) checksum.getValue() != file.getInt(Section.CHECKSUM_AT)) {
            throw new BadTableException("its checksum is wrong");
        }
    }

    private Tree readSettings() {
        try {
            return TreeBytes.read(bytes(Section.SETTINGS));
        } catch (IllegalArgumentException bad) {
            throw new BadTableException(bad.getMessage());
        }
    }

    private ByteBuffer bytes(Section section) {
        int offset = file.getInt(section.entry());
        int size = file.getInt(section.entry() + Integer.BYTES);
        if (offset < 0 || size < 0 || offset > file.limit() - size) {
            throw new BadTableException("its section %s lies outside of it".formatted(section));
        }
        return file.slice(offset, size).order(ByteOrder.LITTLE_ENDIAN);
    }

    private IntBuffer ints(Section section) {
        return bytes(section).asIntBuffer();
    }

    public Tree settings() {
        return settings;
    }

    public TokenTable tokens() {
        return tokens;
    }

    public MergeTable merges() {
        return merges;
    }

    /** Tokens of the model by prefix; empty for models that search none. */
    public ByteTrie trie() {
        return trie;
    }

    /** Logarithms of probabilities by id; empty for other models than Unigram. */
    public DoubleBuffer scores() {
        return scores;
    }
}
