package io.knabla.runtime.generation.loop;

import io.knabla.functions.unit.generation.GenerationLimits;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.List;

/**
 * Keys of the blocks of a prompt: equal keys are equal blocks after equal beginnings.
 *
 * @param keys digests, each of a block and of the key before it
 */
record PrefixKeys(List<ByteBuffer> keys) {
    /** Tokens of a block. */
    static final int BLOCK = GenerationLimits.PREFIX_BLOCK;

    /** Left to be read: one token alone would be rounded otherwise, and the last one's logits are needed. */
    private static final int REST = 2;

    /** Of the blocks that need not be read where their keys and values are known. */
    static PrefixKeys of(int[] prompt) {
        MessageDigest digest = sha256();
        ByteBuffer tokens = ByteBuffer.allocate(BLOCK * Integer.BYTES);
        List<ByteBuffer> keys = new ArrayList<>();
        for (int end = BLOCK; end <= prompt.length - REST; end += BLOCK) {
            tokens.clear().asIntBuffer().put(prompt, end - BLOCK, BLOCK);
            if (!keys.isEmpty()) {
                digest.update(keys.getLast().array());
            }
            digest.update(tokens);
            keys.add(ByteBuffer.wrap(digest.digest()));
        }
        return new PrefixKeys(keys);
    }

    /** Length of a prompt that has so many of these blocks, and no token more than it needs for that. */
    static int promptTokens(int blocks) {
        return blocks * BLOCK + REST;
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java has SHA-256", impossible);
        }
    }
}
