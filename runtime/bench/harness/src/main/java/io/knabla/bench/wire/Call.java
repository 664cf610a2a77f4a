package io.knabla.bench.wire;

import io.knabla.bench.model.BenchModel;

/**
 * One inference request ready to be sent again and again, and how to know a right answer.
 *
 * @param http the whole HTTP/1.1 request, head and body
 */
public record Call(int port, byte[] http, Check check) {
    /** Judges the body of an answer. */
    public interface Check {
        boolean correct(HttpAnswer answer);
    }

    /** Open Inference Protocol v2 in JSON. */
    public static Call json(int port, String path, BenchModel model) {
        byte[] http = InferRequests.json(port, path, model);
        return new Call(port, http, new ExpectedValues(model.expected())::json);
    }

    /** The binary tensor extension, both ways. */
    public static Call binary(int port, String path, BenchModel model) {
        byte[] http = InferRequests.binary(port, path, model);
        return new Call(port, http, new ExpectedValues(model.expected())::binary);
    }
}
