package io.knabla.runtime.encoder;

import io.knabla.functions.tokenizer.Encoding;

/**
 * A text that waits to be computed.
 *
 * @param index of the text in its job
 */
record QueuedText(EncodeJob job, int index) {
    Encoding text() {
        return job.texts().get(index);
    }

    int length() {
        return text().ids().length;
    }
}
