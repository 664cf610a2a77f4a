package io.knabla.runtime.serve.http;

import com.code_intelligence.jazzer.junit.FuzzTest;

/** Fuzz target for the head parser; {@code ProtocolFuzzTest} describes how to run it. */
class HeadFuzzTest {
    @FuzzTest(maxDuration = "2m")
    void head(byte[] bytes) {
        int end = HeadParser.end(bytes, 0, 0, bytes.length);
        if (end < 0) {
            return;
        }
        try {
            var head = HeadParser.parse(bytes, 0);
            BodyKind kind = BodyKind.of(head.request(), head.modern());
            if (head.request().path().isEmpty() || (kind instanceof BodyKind.Sized(long length) && length < 0)) {
                throw new AssertionError("an impossible request: " + kind);
            }
        } catch (HttpFault refused) {
            if (refused.status < 400) {
                throw new AssertionError("refused with " + refused.status, refused);
            }
        }
    }
}
