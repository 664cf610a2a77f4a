package io.knabla.runtime.generation.loop;

import java.util.Optional;
import java.util.function.Supplier;

/** Drafts tokens that may follow a text; they are verified before they are part of it. For one thread. */
interface Drafts extends AutoCloseable {
    /**
     * A draft for the text; empty if there is none. Its tokens are computed when they are asked for, and may be none.
     *
     * @param most tokens of the draft
     */
    Optional<Supplier<int[]>> draft(TextSequence sequence, int most);

    /** Forgets what it keeps of a text. */
    void release(TextSequence sequence);

    @Override
    void close();
}
