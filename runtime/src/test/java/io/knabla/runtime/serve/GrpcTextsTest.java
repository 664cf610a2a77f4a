package io.knabla.runtime.serve;

import static io.knabla.functions.compiler.onnx.ElementType.FLOAT;
import static io.knabla.runtime.units.GrpcMessages.bytes;
import static io.knabla.runtime.units.GrpcMessages.field;
import static io.knabla.runtime.units.GrpcMessages.message;
import static io.knabla.runtime.units.GrpcMessages.shape;
import static io.knabla.runtime.units.GrpcMessages.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ai.onnx.proto.OnnxMl.ModelProto;
import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.UnknownFieldSet.Field;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.knabla.functions.Onnx;
import io.knabla.runtime.units.GrpcMessages;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Texts and names in plain UTF-8 by gRPC; messages are written and read by the field numbers of the specification. */
@Timeout(120)
class GrpcTextsTest {
    private static final List<String> WORDS = LabelModel.WORDS;

    private static ByteString infer(RunningReplica replica, ByteString request) {
        ManagedChannel channel = GrpcMessages.channel(replica.port);
        try {
            return GrpcMessages.infer(channel, request);
        } finally {
            channel.shutdownNow();
        }
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
                .addField(3, shape(List.of((long) WORDS.size())))
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
                in -> in.addField(1, text(name)).addField(2, text("FP32")).addField(3, shape(List.of(1L))));
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
