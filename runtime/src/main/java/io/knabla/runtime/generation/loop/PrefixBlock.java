package io.knabla.runtime.generation.loop;

import io.knabla.runtime.generation.decode.SavedTokens;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Keys and values of one block of a prompt in the prefix cache. Its memory is freed when neither the cache nor anybody
 * else holds it; only the engine's thread begins to hold it, any thread ends.
 */
final class PrefixBlock {
    private final SavedTokens tokens;

    /** The first is the cache. */
    private final AtomicInteger holders = new AtomicInteger(1);

    PrefixBlock(SavedTokens tokens) {
        this.tokens = tokens;
    }

    /** To be read while it is held. */
    SavedTokens tokens() {
        return tokens;
    }

    /** Whether somebody besides the cache holds it. */
    boolean isHeld() {
        return holders.get() > 1;
    }

    PrefixBlock hold() {
        holders.incrementAndGet();
        return this;
    }

    void release() {
        if (holders.decrementAndGet() == 0) {
            tokens.close();
        }
    }
}
