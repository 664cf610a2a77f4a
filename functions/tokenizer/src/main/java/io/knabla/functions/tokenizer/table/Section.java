package io.knabla.functions.tokenizer.table;

/** Parts of a table, in the order of the file. */
enum Section {
    /** Everything of the tokenizer.json but vocabulary and merges. */
    SETTINGS,
    /** Ends of the tokens in {@link #TOKEN_BYTES} by id: int each. An id without a token has an empty one. */
    TOKEN_ENDS,
    TOKEN_BYTES,
    /** Ids of the model's tokens by hash: int each, -1 for a free slot. */
    TOKEN_SLOTS,
    /** Merges by rank: left, right and resulting id, int each. */
    MERGES,
    /** Ranks by hash of left and right: int each, -1 for a free slot. */
    MERGE_SLOTS,
    /** First child of each node of the trie, and the number of nodes: int each. */
    TRIE_CHILDREN,
    /** Byte that leads to each node. */
    TRIE_LABELS,
    /** Id of the token that ends at each node: int, -1 for none. */
    TRIE_TOKENS,
    /** Logarithms of probabilities by id: double each. */
    SCORES;

    /** "KNABLTOK" in little-endian order. */
    static final long MAGIC = 0x4b4f544c42414e4bL;

    static final int VERSION = 1;
    static final int CHECKSUM_AT = 12;
    static final int CHECKED_FROM = 16;
    static final int SIZE_AT = 16;
    static final int DIRECTORY_AT = 24;
    static final int ALIGNMENT = 8;

    /** Where the offset of this section is; its size in bytes follows. */
    int entry() {
        return DIRECTORY_AT + ordinal() * 2 * Integer.BYTES;
    }

    static int headerBytes() {
        return DIRECTORY_AT + values().length * 2 * Integer.BYTES;
    }
}
