package io.knabla.runtime.serve;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.WireFormat;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCalls;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Calls of grpc-java whose messages are written and read by the field numbers of their specification. */
final class GrpcMessages {
    static final String SERVICE = "inference.GRPCInferenceService";

    private GrpcMessages() {}

    /** A message as it is. */
    enum Bytes implements MethodDescriptor.Marshaller<byte[]> {
        MARSHALLER;

        @Override
        public InputStream stream(byte[] value) {
            return new ByteArrayInputStream(value);
        }

        @Override
        public byte[] parse(InputStream stream) {
            try {
                return stream.readAllBytes();
            } catch (IOException failed) {
                throw new UncheckedIOException(failed);
            }
        }
    }

    interface Fields {
        void write(CodedOutputStream out) throws IOException;
    }

    static byte[] message(Fields fields) {
        var bytes = new ByteArrayOutputStream();
        var out = CodedOutputStream.newInstance(bytes);
        try {
            fields.write(out);
            out.flush();
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return bytes.toByteArray();
    }

    /** Fields of a message that are texts or messages, by number. */
    static Map<Integer, List<byte[]>> fields(byte[] message) throws IOException {
        Map<Integer, List<byte[]>> fields = new TreeMap<>();
        var in = CodedInputStream.newInstance(message);
        for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
            int number = WireFormat.getTagFieldNumber(tag);
            if (WireFormat.getTagWireType(tag) == WireFormat.WIRETYPE_LENGTH_DELIMITED) {
                fields.computeIfAbsent(number, first -> new ArrayList<>()).add(in.readByteArray());
            } else {
                in.skipField(tag);
            }
        }
        return fields;
    }

    static String text(Map<Integer, List<byte[]>> fields, int number) {
        return new String(fields.get(number).getFirst());
    }

    static MethodDescriptor<byte[], byte[]> method(String name, MethodType type) {
        return MethodDescriptor.newBuilder(Bytes.MARSHALLER, Bytes.MARSHALLER)
                .setType(type)
                .setFullMethodName(name.contains("/") ? name : SERVICE + "/" + name)
                .build();
    }

    static byte[] call(Channel channel, String name, byte[] request) {
        return ClientCalls.blockingUnaryCall(channel, method(name, MethodType.UNARY), CallOptions.DEFAULT, request);
    }

    static ManagedChannel channel(int port) {
        return NettyChannelBuilder.forAddress("127.0.0.1", port).usePlaintext().build();
    }
}
