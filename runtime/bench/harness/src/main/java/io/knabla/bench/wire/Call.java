package io.knabla.bench.wire;

import io.knabla.bench.model.BenchModel;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/**
 * One inference request as bytes, to be sent repeatedly, with a check of the response.
 *
 * @param http the whole request, head and body
 */
public record Call(InetSocketAddress address, byte[] http, Check check, Protocol protocol) {
    /** A request by HTTP/1.1. */
    public Call(InetSocketAddress address, byte[] http, Check check) {
        this(address, http, check, Protocol.HTTP_1);
    }

    /** Checks the values of a response. */
    public interface Check {
        boolean correct(HttpAnswer answer);
    }

    /** A request in Open Inference Protocol v2, JSON. */
    public static Call json(int port, String path, BenchModel model) {
        return json(local(port), "127.0.0.1:" + port, path, model);
    }

    /** @param host value of the Host header, if different from the address */
    public static Call json(InetSocketAddress address, String host, String path, BenchModel model) {
        byte[] http = InferRequests.json(host, path, model);
        return new Call(address, http, new ExpectedValues(model.expected())::json);
    }

    /** A request with the binary tensor extension, for inputs and outputs. */
    public static Call binary(int port, String path, BenchModel model) {
        byte[] http = InferRequests.binary("127.0.0.1:" + port, path, model);
        return new Call(local(port), http, new ExpectedValues(model.expected())::binary);
    }

    /** A request by gRPC, with raw contents. */
    public static Call grpc(int port, String name, BenchModel model) {
        byte[] frames = GrpcRequests.infer("127.0.0.1:" + port, name, model);
        return new Call(local(port), frames, new ExpectedValues(model.expected())::grpc, Protocol.GRPC);
    }

    private static InetSocketAddress local(int port) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }
}
