package io.knabla.bench.wire;

import io.knabla.bench.model.BenchModel;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/**
 * One inference request ready to be sent again and again, and how to know a right answer.
 *
 * @param http the whole HTTP/1.1 request, head and body
 */
public record Call(InetSocketAddress address, byte[] http, Check check) {
    /** Judges the body of an answer. */
    public interface Check {
        boolean correct(HttpAnswer answer);
    }

    /** Open Inference Protocol v2 in JSON. */
    public static Call json(int port, String path, BenchModel model) {
        return json(local(port), "127.0.0.1:" + port, path, model);
    }

    /** @param host as the request names it, where that is not the address */
    public static Call json(InetSocketAddress address, String host, String path, BenchModel model) {
        byte[] http = InferRequests.json(host, path, model);
        return new Call(address, http, new ExpectedValues(model.expected())::json);
    }

    /** The binary tensor extension, both ways. */
    public static Call binary(int port, String path, BenchModel model) {
        byte[] http = InferRequests.binary("127.0.0.1:" + port, path, model);
        return new Call(local(port), http, new ExpectedValues(model.expected())::binary);
    }

    private static InetSocketAddress local(int port) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }
}
