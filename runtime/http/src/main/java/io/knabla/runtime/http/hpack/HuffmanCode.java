package io.knabla.runtime.http.hpack;

import java.nio.charset.StandardCharsets;

/** Decodes strings in the static Huffman code of RFC 7541, appendix B. The code is canonical: its lengths define it. */
final class HuffmanCode {
    private static final int SHORTEST = 5;
    private static final int LONGEST = 30;
    private static final int END = 256;

    /** Length in bits of the code of each byte, then of the end of a string: 'a' is 5, 'z' is 30. */
    private static final String LENGTHS = "isxxxxxxxtzxxzxxxxxxxxzxxxxxxxxxbffhibdgffdgdbbbaaabbbbbbbcdkbhf"
            + "ibccccccccccccccccccccccdcdioijbkabababbbaccbbbabcbaabccccckgjix"
            + "prpprrrsrssssststtrstssssqrsrsstrqprrssqsrrtqrssqqrqsrssprrrsrrs"
            + "vvporsruvvvwwvtuoqvwwvwtqqvvxwwwptpqrqqsrruuttvsvwvvwwwwwxwwwwwv"
            + "z";

    /** By length of a code: the first code, the place of its symbol in {@link #SYMBOLS}, and the number of codes. */
    private static final int[] FIRST = new int[LONGEST + 1];

    private static final int[] PLACE = new int[LONGEST + 1];
    private static final int[] COUNT = new int[LONGEST + 1];

    /** Symbols in the order of their codes. */
    private static final short[] SYMBOLS = new short[END + 1];

    static {
        int code = 0;
        int place = 0;
        for (int length = SHORTEST; length <= LONGEST; length++) {
            code <<= 1;
            FIRST[length] = code;
            PLACE[length] = place;
            for (short symbol = 0; symbol <= END; symbol++) {
                if (LENGTHS.charAt(symbol) - 'a' + SHORTEST == length) {
                    SYMBOLS[place++] = symbol;
                    code++;
                }
            }
            COUNT[length] = code - FIRST[length];
        }
    }

    private HuffmanCode() {}

    /** @throws HpackException if it contains the end symbol, or its padding is not the beginning of that symbol */
    static String decode(byte[] bytes, int from, int size) {
        byte[] text = new byte[size * 8 / SHORTEST];
        int count = 0;
        int code = 0;
        int length = 0;
        for (int bit = 0; bit < size * 8; bit++) {
            code = code << 1 | bytes[from + (bit >> 3)] >> (7 - (bit & 7)) & 1;
            length++;
            if (length >= SHORTEST && code - FIRST[length] < COUNT[length]) {
                int symbol = SYMBOLS[PLACE[length] + code - FIRST[length]];
                if (symbol == END) {
                    throw new HpackException("a string contains the end symbol");
                }
                text[count++] = (byte) symbol;
                code = 0;
                length = 0;
            }
        }
        if (length > 7 || code != (1 << length) - 1) {
            throw new HpackException("a string is padded with other bits than ones");
        }
        return new String(text, 0, count, StandardCharsets.ISO_8859_1);
    }
}
