package io.knabla.runtime.units;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.UnknownFieldSet;
import com.google.protobuf.UnknownFieldSet.Field;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCalls;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.function.Function;

/** Calls {@code ModelInfer} with messages that are written and read by the field numbers of the specification. */
public final class GrpcMessages {
    private static final MethodDescriptor<ByteString, ByteString> INFER = MethodDescriptor.newBuilder(
                    AsItIs.MARSHALLER, AsItIs.MARSHALLER)
            .setType(MethodType.UNARY)
            .setFullMethodName("inference.GRPCInferenceService/ModelInfer")
            .build();

    private GrpcMessages() {}

    private enum AsItIs implements MethodDescriptor.Marshaller<ByteString> {
        MARSHALLER;

        @Override
        public InputStream stream(ByteString value) {
            return new ByteArrayInputStream(value.toByteArray());
        }

        @Override
        public ByteString parse(InputStream stream) {
            try {
                return ByteString.readFrom(stream);
            } catch (IOException failed) {
                throw new UncheckedIOException(failed);
            }
        }
    }

    public static ManagedChannel channel(int port) {
        return NettyChannelBuilder.forAddress("127.0.0.1", port).usePlaintext().build();
    }

    public static ByteString infer(ManagedChannel channel, ByteString request) {
        return ClientCalls.blockingUnaryCall(channel, INFER, CallOptions.DEFAULT, request);
    }

    public static ByteString message(Function<UnknownFieldSet.Builder, UnknownFieldSet.Builder> fields) {
        return fields.apply(UnknownFieldSet.newBuilder()).build().toByteString();
    }

    public static Field bytes(List<ByteString> values) {
        Field.Builder field = Field.newBuilder();
        values.forEach(field::addLengthDelimited);
        return field.build();
    }

    public static Field text(String value) {
        return bytes(List.of(ByteString.copyFromUtf8(value)));
    }

    public static Field shape(List<Long> sizes) {
        Field.Builder field = Field.newBuilder();
        sizes.forEach(field::addVarint);
        return field.build();
    }

    /** The values of a repeated field of texts, bytes or messages. */
    public static List<ByteString> field(ByteString message, int number) throws InvalidProtocolBufferException {
        return UnknownFieldSet.parseFrom(message).getField(number).getLengthDelimitedList();
    }
}
