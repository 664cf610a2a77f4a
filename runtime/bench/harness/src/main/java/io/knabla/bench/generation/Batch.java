package io.knabla.bench.generation;

/**
 * Texts that are generated at the same time, of prompts that peers have too.
 *
 * @param size number of texts
 * @param prompt tokens of each prompt
 * @param tokens generated for each, the most probable ones
 */
record Batch(int size, int prompt, int tokens) {
    private static final int WORDS = RandomLlama.VOCABULARY - RandomLlama.FIRST_WORD;
    private static final int ROW_STEP = 7919;
    private static final int STEP = 104_729;

    /** Ids of the prompt of a text. */
    int[] prompt(int row) {
        int[] ids = new int[prompt];
        for (int at = 0; at < prompt; at++) {
            ids[at] = RandomLlama.FIRST_WORD + Math.floorMod(ROW_STEP * row + STEP * at, WORDS);
        }
        return ids;
    }

    int allTokens() {
        return size * tokens;
    }
}
