package io.knabla.bench.wire;

import java.nio.ByteBuffer;

/** How a connection carries one request after the other. */
public enum Protocol {
    HTTP_1,
    GRPC;

    /** What the client sends first on a connection. */
    public byte[] opening() {
        return switch (this) {
            case HTTP_1 -> new byte[0];
            case GRPC -> GrpcRequests.opening();
        };
    }

    public ResponseReader reader() {
        return switch (this) {
            case HTTP_1 -> new AnswerReader();
            case GRPC -> new GrpcAnswerReader();
        };
    }

    /** Makes a request that was sent the next one. */
    public void next(ByteBuffer request) {
        switch (this) {
            case HTTP_1 -> {}
            case GRPC -> GrpcRequests.nextStream(request);
        }
    }
}
