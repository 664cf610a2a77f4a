package io.knabla.runtime.serve;

import static io.knabla.runtime.serve.GrpcMessages.call;
import static io.knabla.runtime.serve.GrpcMessages.channel;
import static io.knabla.runtime.serve.GrpcMessages.fields;
import static io.knabla.runtime.serve.GrpcMessages.message;
import static io.knabla.runtime.serve.GrpcMessages.method;
import static io.knabla.runtime.serve.GrpcMessages.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.MetadataUtils;
import io.grpc.stub.StreamObserver;
import io.knabla.functions.Onnx;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Calls a replica with grpc-java, and writes and reads the messages by their field numbers in the specification. */
@Timeout(120)
class GrpcReplicaTest {
    private static byte[] littleEndian(int... values) {
        var bytes = ByteBuffer.allocate(4 * values.length).order(ByteOrder.LITTLE_ENDIAN);
        bytes.asIntBuffer().put(values);
        return bytes.array();
    }

    private static byte[] input(String name, GrpcMessages.Fields contents) {
        return message(out -> {
            out.writeString(1, name);
            out.writeString(2, "INT32");
            out.writeByteArray(3, new byte[] {1, 16});
            contents.write(out);
        });
    }

    /** INPUT0 is 1 to 16 and INPUT1 is {@code second} everywhere. */
    private static byte[] raw(String model, int second) {
        return message(out -> {
            out.writeString(1, model);
            out.writeString(3, "the id");
            out.writeByteArray(5, input("INPUT0", none -> {}));
            out.writeByteArray(5, input("INPUT1", none -> {}));
            out.writeByteArray(7, littleEndian(IntStream.rangeClosed(1, 16).toArray()));
            out.writeByteArray(
                    7, littleEndian(IntStream.generate(() -> second).limit(16).toArray()));
        });
    }

    private static void expectSum(byte[] answer, int second) throws IOException {
        Map<Integer, List<byte[]>> fields = fields(answer);
        assertThat(text(fields, 1)).isEqualTo("m");
        assertThat(text(fields, 2)).isEqualTo("3");
        Map<Integer, List<byte[]>> output = fields(fields.get(5).getFirst());
        assertThat(text(output, 1)).isEqualTo("OUTPUT0");
        assertThat(text(output, 2)).isEqualTo("INT32");
        assertThat(output.get(3).getFirst()).containsExactly(1, 16);
        assertThat(fields.get(6)).hasSize(2);
        assertThat(fields.get(6).getFirst())
                .isEqualTo(littleEndian(
                        IntStream.rangeClosed(1, 16).map(i -> i + second).toArray()));
    }

    @Test
    void infersWithRawContents() throws Exception {
        try (var replica = new RunningReplica(Onnx.addSub(), RunningReplica.PLAIN)) {
            ManagedChannel channel = channel(replica.port);
            byte[] answer = call(channel, "ModelInfer", raw("m", 5));
            expectSum(answer, 5);
            assertThat(text(fields(answer), 3)).isEqualTo("the id");
            assertThat(replica.get("/metrics").body())
                    .contains("nv_inference_request_success{model=\"m\",version=\"3\"} 1");
            channel.shutdownNow();
        }
    }

    @Test
    void infersWithTypedContentsPackedAndNot() throws Exception {
        byte[] packed = message(out -> {
            for (int i = 1; i <= 16; i++) {
                out.writeInt32NoTag(i);
            }
        });
        byte[] single = message(out -> {
            for (int i = 0; i < 16; i++) {
                out.writeInt32(2, -7);
            }
        });
        byte[] request = message(out -> {
            out.writeString(1, "m");
            out.writeByteArray(
                    5, input("INPUT0", in -> in.writeByteArray(5, message(c -> c.writeByteArray(2, packed)))));
            out.writeByteArray(5, input("INPUT1", in -> in.writeByteArray(5, single)));
        });
        try (var replica = new RunningReplica(Onnx.addSub(), RunningReplica.PLAIN)) {
            ManagedChannel channel = channel(replica.port);
            expectSum(call(channel, "ModelInfer", request), -7);
            channel.shutdownNow();
        }
    }

    @Test
    void answersAStreamInOrderAndGoesOnAfterAnError() throws Exception {
        List<byte[]> answers = new ArrayList<>();
        var ended = new CompletableFuture<Void>();
        try (var replica = new RunningReplica(Onnx.addSub(), RunningReplica.PLAIN)) {
            ManagedChannel channel = channel(replica.port);
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
            for (int i = 0; i < 20; i++) {
                requests.onNext(i == 7 ? raw("other", 0) : raw("m", i));
            }
            requests.onCompleted();
            ended.get();
            channel.shutdownNow();
        }
        assertThat(answers).hasSize(20);
        for (int i = 0; i < 20; i++) {
            Map<Integer, List<byte[]>> answer = fields(answers.get(i));
            if (i == 7) {
                assertThat(text(answer, 1)).startsWith("Request for unknown model: 'other'");
            } else {
                expectSum(answer.get(2).getFirst(), i);
            }
        }
    }

    @Test
    void describesServerAndModel() throws Exception {
        byte[] model = message(out -> out.writeString(1, "m"));
        byte[] yes = {8, 1};
        try (var replica = new RunningReplica(Onnx.addSub(), RunningReplica.PLAIN)) {
            ManagedChannel channel = channel(replica.port);
            assertThat(call(channel, "ServerLive", new byte[0])).isEqualTo(yes);
            assertThat(call(channel, "ServerReady", new byte[0])).isEqualTo(yes);
            assertThat(call(channel, "ModelReady", model)).isEqualTo(yes);
            assertThat(call(channel, "grpc.health.v1.Health/Check", new byte[0]))
                    .isEqualTo(yes);
            assertThat(text(fields(call(channel, "ServerMetadata", new byte[0])), 1))
                    .isEqualTo("knabla");
            Map<Integer, List<byte[]>> metadata = fields(call(channel, "ModelMetadata", model));
            assertThat(text(metadata, 1)).isEqualTo("m");
            assertThat(text(fields(metadata.get(4).getFirst()), 1)).isEqualTo("INPUT0");
            assertThat(metadata.get(5)).hasSize(2);
            Map<Integer, List<byte[]>> entry = fields(
                    fields(call(channel, "RepositoryIndex", new byte[0])).get(1).getFirst());
            assertThat(text(entry, 3)).isEqualTo("READY");
            channel.shutdownNow();
        }
    }

    @Test
    void sendsStatusAndSentenceOfEachRefusal() throws Exception {
        byte[] tooLong = message(out -> {
            out.writeString(1, "m");
            out.writeBytes(7, ByteString.copyFrom(new byte[RunningReplica.MAX_BODY + 1]));
        });
        byte[] noInputs = message(out -> out.writeString(1, "m"));
        byte[] moreRaw = message(out -> {
            out.writeString(1, "m");
            out.writeByteArray(7, new byte[4]);
        });
        byte[] otherConfig = message(out -> {
            out.writeString(2, "m");
            out.writeByteArray(3, message(entry -> entry.writeString(1, "config")));
        });
        try (var replica = new RunningReplica(Onnx.addSub(), RunningReplica.PLAIN)) {
            ManagedChannel channel = channel(replica.port);
            assertThat(call(channel, "RepositoryModelLoad", message(out -> out.writeString(2, "m"))))
                    .isEmpty();
            expect(channel, "RepositoryModelLoad", otherConfig, Status.Code.UNIMPLEMENTED, "'config' of load");
            expect(channel, "ModelInfer", raw("other", 1), Status.Code.NOT_FOUND, "this replica serves 'm'");
            expect(channel, "ModelInfer", noInputs, Status.Code.INVALID_ARGUMENT, "INPUT0");
            expect(channel, "ModelInfer", moreRaw, Status.Code.INVALID_ARGUMENT, "1 entries for 0 inputs");
            expect(channel, "ModelInfer", new byte[] {10, 99}, Status.Code.INVALID_ARGUMENT, "malformed message");
            expect(channel, "ModelInfer", new byte[0], Status.Code.INVALID_ARGUMENT, "names no model");
            expect(channel, "ModelInfer", tooLong, Status.Code.RESOURCE_EXHAUSTED, "larger than 1048576 bytes");
            expect(channel, "TraceSetting", new byte[0], Status.Code.UNIMPLEMENTED, "is not offered");
            expectSum(call(channel, "ModelInfer", raw("m", 2)), 2);
            channel.shutdownNow();
        }
    }

    private static void expect(Channel channel, String name, byte[] request, Status.Code code, String sentence) {
        assertThatThrownBy(() -> call(channel, name, request))
                .isInstanceOfSatisfying(StatusRuntimeException.class, refused -> {
                    assertThat(refused.getStatus().getCode())
                            .as(refused.getMessage())
                            .isEqualTo(code);
                    assertThat(refused.getStatus().getDescription()).contains(sentence);
                });
    }

    @Test
    void asksForTheTokenInTheMetadata() throws Exception {
        try (var replica = new RunningReplica(Onnx.addSub(), RunningReplica.PLAIN, "secret")) {
            ManagedChannel channel = channel(replica.port);
            expect(channel, "ModelInfer", raw("m", 1), Status.Code.PERMISSION_DENIED, "call the gateway");
            var metadata = new Metadata();
            metadata.put(Metadata.Key.of("knabla-replica-token", Metadata.ASCII_STRING_MARSHALLER), "secret");
            Channel known = ClientInterceptors.intercept(channel, MetadataUtils.newAttachHeadersInterceptor(metadata));
            expectSum(call(known, "ModelInfer", raw("m", 1)), 1);
            channel.shutdownNow();
        }
    }

    @Test
    void theIdOfARequestComesBack() throws Exception {
        var id = Metadata.Key.of("x-request-id", Metadata.ASCII_STRING_MARSHALLER);
        var metadata = new Metadata();
        metadata.put(id, "r-1");
        var returned = new AtomicReference<Metadata>();
        try (var replica = new RunningReplica(Onnx.addSub(), RunningReplica.PLAIN)) {
            ManagedChannel channel = channel(replica.port);
            Channel known = ClientInterceptors.intercept(
                    channel,
                    MetadataUtils.newAttachHeadersInterceptor(metadata),
                    MetadataUtils.newCaptureMetadataInterceptor(returned, new AtomicReference<>()));
            expectSum(call(known, "ModelInfer", raw("m", 1)), 1);
            assertThat(returned.get().getAll(id)).containsExactly("r-1");
            channel.shutdownNow();
        }
    }

    @Test
    void readsCompressedMessages() throws Exception {
        try (var replica = new RunningReplica(Onnx.addSub(), RunningReplica.PLAIN)) {
            ManagedChannel channel = channel(replica.port);
            byte[] answer = ClientCalls.blockingUnaryCall(
                    channel,
                    method("ModelInfer", MethodType.UNARY),
                    CallOptions.DEFAULT.withCompression("gzip"),
                    raw("m", 9));
            expectSum(answer, 9);
            channel.shutdownNow();
        }
    }

    /** OUTPUT0 goes to the region r, OUTPUT1 into the message. */
    private static byte[] outputShared() {
        byte[] region = message(out -> out.writeString(3, "r"));
        byte[] size = message(out -> out.writeInt64(2, 64));
        return message(out -> {
            out.writeRawBytes(raw("m", 5));
            out.writeByteArray(6, message(output -> {
                output.writeString(1, "OUTPUT0");
                output.writeByteArray(2, parameter("shared_memory_region", region));
                output.writeByteArray(2, parameter("shared_memory_byte_size", size));
            }));
            out.writeByteArray(6, message(output -> output.writeString(1, "OUTPUT1")));
        });
    }

    private static byte[] parameter(String name, byte[] value) {
        return message(out -> {
            out.writeString(1, name);
            out.writeByteArray(2, value);
        });
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void writesOutputsIntoRegisteredSharedMemory() throws Exception {
        String key = "knabla-test-" + UUID.randomUUID();
        Path object = Files.write(Path.of("/dev/shm", key), new byte[64]);
        byte[] registration = message(out -> {
            out.writeString(1, "r");
            out.writeString(2, "/" + key);
            out.writeUInt64(4, 64);
        });
        try (var replica = RunningReplica.withSharedMemory(Onnx.addSub())) {
            ManagedChannel channel = channel(replica.port);
            call(channel, "CudaSharedMemoryUnregister", new byte[0]);
            call(channel, "SystemSharedMemoryRegister", registration);
            byte[] entry = fields(call(channel, "SystemSharedMemoryStatus", new byte[0]))
                    .get(1)
                    .getFirst();
            assertThat(text(fields(fields(entry).get(2).getFirst()), 2)).isEqualTo("/" + key);
            // Clients find an output's contents by counting the outputs before it.
            List<byte[]> contents =
                    fields(call(channel, "ModelInfer", outputShared())).get(6);
            assertThat(contents.getFirst()).isEmpty();
            assertThat(contents.getLast())
                    .isEqualTo(littleEndian(
                            IntStream.rangeClosed(1, 16).map(i -> i - 5).toArray()));
            assertThat(Files.readAllBytes(object))
                    .isEqualTo(littleEndian(
                            IntStream.rangeClosed(1, 16).map(i -> i + 5).toArray()));
            call(channel, "SystemSharedMemoryUnregister", new byte[0]);
            assertThat(call(channel, "SystemSharedMemoryStatus", new byte[0])).isEmpty();
            expect(channel, "CudaSharedMemoryRegister", registration, Status.Code.UNIMPLEMENTED, "no GPU memory");
            channel.shutdownNow();
        } finally {
            Files.delete(object);
        }
    }
}
