package io.knabla.runtime.http;

import com.code_intelligence.jazzer.junit.FuzzTest;
import org.junit.jupiter.api.Tag;

/** Fuzz target for the head parser; {@code ProtocolFuzzTest} describes how to run it. */
@Tag("faults")
class HeadFuzzTest {
    @FuzzTest(maxDuration = "2m")
    void head(byte[] bytes) {
        int end = HeadParser.end(bytes, 0, 0, bytes.length);
        if (end < 0) {
            return;
        }
        try {
            HttpRequest head = HeadParser.request(bytes, 0);
            BodyFraming kind = BodyFraming.of(head);
            if (head.path().isEmpty() || (kind instanceof BodyFraming.Sized(long length) && length < 0)) {
                throw new AssertionError("an impossible request: " + kind);
            }
        } catch (HttpFault refused) {
            if (refused.status < 400) {
                throw new AssertionError("refused with " + refused.status, refused);
            }
        }
    }
}
