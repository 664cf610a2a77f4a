package io.knabla.runtime.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ai.onnx.proto.OnnxMl.ModelProto;
import com.google.protobuf.CodedOutputStream;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import io.knabla.functions.Onnx;
import io.knabla.functions.compiler.onnx.ElementType;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Calls whose tensors are passed on as they arrive: the limit is that of HTTP bodies, whatever the message is. */
@Timeout(120)
class GrpcLargeMessagesTest {
    private static final int MOST = 4 << 20;

    private final RunningReplica replica;
    private final ManagedChannel channel;

    GrpcLargeMessagesTest() throws IOException {
        replica = RunningReplica.withBodies(MOST, sum());
        channel = NettyChannelBuilder.forAddress("127.0.0.1", replica.port)
                .maxInboundMessageSize(2 * MOST)
                .usePlaintext()
                .build();
    }

    @AfterEach
    void stop() throws IOException {
        channel.shutdownNow();
        replica.close();
    }

    private static ModelProto sum() {
        return new Onnx()
                .input("a", ElementType.FLOAT, "n")
                .input("b", ElementType.FLOAT, "n")
                .output("y", ElementType.FLOAT, "n")
                .node("Add", List.of("a", "b"), "y")
                .build();
    }

    private interface Fields {
        void write(CodedOutputStream out) throws IOException;
    }

    private static byte[] message(Fields fields) {
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

    private static byte[] input(String name, int count) {
        byte[] shape = message(out -> out.writeInt64NoTag(count));
        return message(out -> {
            out.writeString(1, name);
            out.writeString(2, "FP32");
            out.writeByteArray(3, shape);
        });
    }

    private static byte[] floats(int count, float first) {
        var bytes = ByteBuffer.allocate(4 * count).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < count; i++) {
            bytes.putFloat(first + i);
        }
        return bytes.array();
    }

    private static byte[] request(String model, int count, byte[]... raw) {
        return message(out -> {
            out.writeString(1, model);
            out.writeByteArray(5, input("a", count));
            out.writeByteArray(5, input("b", count));
            for (byte[] tensor : raw) {
                out.writeByteArray(7, tensor);
            }
        });
    }

    private static byte[] request(String model, int count) {
        return request(model, count, floats(count, 1), floats(count, 2));
    }

    private static MethodDescriptor<byte[], byte[]> method(String name, MethodType type) {
        return MethodDescriptor.newBuilder(GrpcMessages.Bytes.MARSHALLER, GrpcMessages.Bytes.MARSHALLER)
                .setType(type)
                .setFullMethodName(GrpcMessages.SERVICE + "/" + name)
                .build();
    }

    private byte[] call(byte[] request) {
        return ClientCalls.blockingUnaryCall(
                channel, method("ModelInfer", MethodType.UNARY), CallOptions.DEFAULT, request);
    }

    private static void expectSum(byte[] answer, int count) {
        var sums = ByteBuffer.allocate(4 * count).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < count; i++) {
            sums.putFloat(3 + 2 * i);
        }
        assertThat(Arrays.copyOfRange(answer, answer.length - 4 * count, answer.length))
                .isEqualTo(sums.array());
    }

    @ParameterizedTest
    @ValueSource(ints = {8_000, 20_000, 131_072, 500_000})
    void severalTensorsArePassedOn(int count) {
        expectSum(call(request("m", count)), count);
    }

    @Test
    void theLimitIsThatOfHttpAndNoPassingCauseIsNamed() {
        expect(request("m", MOST / 8 + 1), Status.Code.RESOURCE_EXHAUSTED, "larger than 4194304 bytes");
        expectSum(call(request("m", 1000)), 1000);
    }

    @Test
    void whatDoesNotFitTheShapeIsRefused() {
        int count = 50_000;
        byte[] a = floats(count, 1);
        byte[] b = floats(count, 2);
        expect(request("m", count, a), Status.Code.INVALID_ARGUMENT, "");
        expect(request("m", count, a, b, b), Status.Code.INVALID_ARGUMENT, "3 entries for 2 inputs");
        // The sum of their sizes fits, each does not.
        byte[] lessA = Arrays.copyOf(a, a.length - 4);
        byte[] moreB = Arrays.copyOf(b, b.length + 4);
        expect(request("m", count, lessA, moreB), Status.Code.INVALID_ARGUMENT, "");
        expect(request("other", count), Status.Code.NOT_FOUND, "this replica serves 'm'");
        expectSum(call(request("m", count)), count);
    }

    private void expect(byte[] request, Status.Code code, String sentence) {
        assertThatThrownBy(() -> call(request)).isInstanceOfSatisfying(StatusRuntimeException.class, refused -> {
            assertThat(refused.getStatus().getCode()).as(refused.getMessage()).isEqualTo(code);
            assertThat(refused.getStatus().getDescription()).contains(sentence);
        });
    }

    @Test
    void aStreamGoesOnAfterALargeMessageThatWasRefused() throws Exception {
        List<byte[]> answers = new ArrayList<>();
        var ended = new CompletableFuture<Void>();
        StreamObserver<byte[]> requests = ClientCalls.asyncBidiStreamingCall(
                channel.newCall(method("ModelStreamInfer", MethodType.BIDI_STREAMING), CallOptions.DEFAULT),
                new StreamObserver<>() {
                    @Override
                    public void onNext(byte[] answer) {
                        answers.add(answer);
                    }

                    @Override
                    public void onError(Throwable failed) {
                        ended.completeExceptionally(failed);
                    }

                    @Override
                    public void onCompleted() {
                        ended.complete(null);
                    }
                });
        requests.onNext(request("m", 100_000));
        requests.onNext(request("other", 100_000));
        requests.onNext(request("m", MOST / 8 + 1));
        requests.onNext(request("m", 200_000));
        requests.onCompleted();
        ended.get();
        assertThat(answers).hasSize(4);
        expectSum(answers.get(0), 100_000);
        assertThat(new String(answers.get(1))).contains("this replica serves 'm'");
        assertThat(new String(answers.get(2))).contains("larger than 4194304 bytes");
        expectSum(answers.get(3), 200_000);
    }
}
