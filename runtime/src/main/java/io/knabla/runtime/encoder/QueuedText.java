package io.knabla.runtime.encoder;

/**
 * A text that waits to be computed.
 *
 * @param index of the text in its job
 */
record QueuedText(EncodeJob job, int index) {
    EncodedText text() {
        return job.texts().get(index);
    }

    int length() {
        return text().length();
    }
}
