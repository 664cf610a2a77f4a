package io.knabla.runtime.serve;

import static io.knabla.functions.compiler.onnx.ElementType.FLOAT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ai.onnx.proto.OnnxMl.ModelProto;
import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.UnknownFieldSet;
import com.google.protobuf.UnknownFieldSet.Field;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCalls;
import io.knabla.functions.Onnx;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Texts and names in plain UTF-8 by gRPC; messages are written and read by the field numbers of the specification. */
@Timeout(120)
class GrpcTextsTest {
    private static final List<String> WORDS = LabelModel.WORDS;

    /** A message as it is. */
    private enum Messages implements MethodDescriptor.Marshaller<ByteString> {
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

    private static ByteString infer(RunningReplica replica, ByteString request) {
        ManagedChannel channel = NettyChannelBuilder.forAddress("127.0.0.1", replica.port)
                .usePlaintext()
                .build();
        try {
            return ClientCalls.blockingUnaryCall(
                    channel,
                    MethodDescriptor.newBuilder(Messages.MARSHALLER, Messages.MARSHALLER)
                            .setType(MethodType.UNARY)
                            .setFullMethodName("inference.GRPCInferenceService/ModelInfer")
                            .build(),
                    CallOptions.DEFAULT,
                    request);
        } finally {
            channel.shutdownNow();
        }
    }

    private static ByteString message(Function<UnknownFieldSet.Builder, UnknownFieldSet.Builder> fields) {
        return fields.apply(UnknownFieldSet.newBuilder()).build().toByteString();
    }

    private static Field bytes(List<ByteString> values) {
        Field.Builder field = Field.newBuilder();
        values.forEach(field::addLengthDelimited);
        return field.build();
    }

    private static Field text(String value) {
        return bytes(List.of(ByteString.copyFromUtf8(value)));
    }

    private static Field shape(int size) {
        return Field.newBuilder().addVarint(size).build();
    }

    private static List<ByteString> field(ByteString message, int number) throws InvalidProtocolBufferException {
        return UnknownFieldSet.parseFrom(message).getField(number).getLengthDelimitedList();
    }

    private static void check(ByteString answer) throws InvalidProtocolBufferException {
        List<ByteString> raw = field(answer, 6);
        ByteBuffer numbers = raw.getFirst().asReadOnlyByteBuffer().order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < WORDS.size(); i++) {
            assertThat(numbers.getLong()).isEqualTo(i);
        }
        ByteString words = ByteString.copyFrom(LabelModel.binary(WORDS));
        assertThat(raw.subList(1, 3)).containsExactly(words, words);
    }

    private static ByteString words(Field contents) {
        return message(in -> in.addField(1, text("s"))
                .addField(2, text("BYTES"))
                .addField(3, shape(WORDS.size()))
                .mergeField(5, contents));
    }

    @Test
    void inRawContents() throws Exception {
        ByteString request = message(m -> m.addField(1, text("m"))
                .addField(5, bytes(List.of(words(Field.getDefaultInstance()))))
                .addField(7, bytes(List.of(ByteString.copyFrom(LabelModel.binary(WORDS))))));
        try (var replica = new RunningReplica(LabelModel.model(), RunningReplica.PLAIN)) {
            check(infer(replica, request));
        }
    }

    @Test
    void inTypedContents() throws Exception {
        ByteString contents = message(c ->
                c.addField(8, bytes(WORDS.stream().map(ByteString::copyFromUtf8).toList())));
        ByteString request =
                message(m -> m.addField(1, text("m")).addField(5, bytes(List.of(words(bytes(List.of(contents)))))));
        try (var replica = new RunningReplica(LabelModel.model(), RunningReplica.PLAIN)) {
            check(infer(replica, request));
        }
    }

    private static ModelProto named(String input, String output) {
        return new Onnx()
                .input(input, FLOAT, "n")
                .output(output, FLOAT, "n")
                .node("Neg", List.of(input), output)
                .build();
    }

    private static ByteString number(String name, ByteString id) {
        ByteString input = message(
                in -> in.addField(1, text(name)).addField(2, text("FP32")).addField(3, shape(1)));
        return message(m -> m.addField(1, text("m"))
                .addField(3, bytes(List.of(id)))
                .addField(5, bytes(List.of(input)))
                .addField(7, bytes(List.of(ByteString.copyFrom(new byte[] {0, 0, (byte) 0xc0, 0x3f})))));
    }

    @Test
    void asNamesAndIds() throws Exception {
        try (var replica = new RunningReplica(named("x😀", "y😀"), RunningReplica.PLAIN)) {
            ByteString answer = infer(replica, number("x😀", ByteString.copyFromUtf8("id😀")));

            assertThat(field(answer, 3)).containsExactly(ByteString.copyFromUtf8("id😀"));
            assertThat(field(field(answer, 5).getFirst(), 1)).containsExactly(ByteString.copyFromUtf8("y😀"));
            assertThat(field(answer, 6))
                    .containsExactly(ByteString.copyFrom(new byte[] {0, 0, (byte) 0xc0, (byte) 0xbf}));
        }
    }

    @Test
    void bytesThatAreNoUtf8AreNoId() throws Exception {
        try (var replica = new RunningReplica(named("x", "y"), RunningReplica.PLAIN)) {
            assertThatThrownBy(() -> infer(replica, number("x", ByteString.copyFrom(new byte[] {(byte) 0xff}))))
                    .isInstanceOfSatisfying(
                            StatusRuntimeException.class,
                            refused -> assertThat(refused.getStatus())
                                    .extracting(Status::getCode, Status::getDescription)
                                    .containsExactly(
                                            Status.Code.INVALID_ARGUMENT, "a string of the message is not UTF-8"));
        }
    }
}
