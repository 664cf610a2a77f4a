package io.knabla.runtime.generation.loop;

import io.knabla.runtime.generation.decode.Decoder;

/** Opens what computes texts, at the start and after a failure. */
interface Opener {
    /** The decoder has one slot more than sequences. */
    Decoder decoder();

    /** What drafts tokens, where there is speculation. */
    default Drafts drafts() {
        return new PromptLookupDrafts();
    }
}
