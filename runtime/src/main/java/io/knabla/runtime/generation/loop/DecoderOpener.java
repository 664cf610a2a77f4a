package io.knabla.runtime.generation.loop;

import io.knabla.runtime.generation.decode.Decoder;

/** Opens the decoders of an engine loop, at its start and after a failure. */
interface DecoderOpener {
    /** The decoder has one slot more than sequences. */
    Decoder decoder();

    /** What drafts tokens, where there is speculation. */
    default Drafts drafts() {
        return new PromptLookupDrafts();
    }
}
