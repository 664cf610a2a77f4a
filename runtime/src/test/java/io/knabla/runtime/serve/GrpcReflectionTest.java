package io.knabla.runtime.serve;

import static io.knabla.runtime.serve.GrpcMessages.call;
import static io.knabla.runtime.serve.GrpcMessages.channel;
import static io.knabla.runtime.serve.GrpcMessages.fields;
import static io.knabla.runtime.serve.GrpcMessages.message;
import static io.knabla.runtime.serve.GrpcMessages.method;
import static io.knabla.runtime.serve.GrpcMessages.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.EnumDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.ServiceDescriptorProto;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import io.knabla.functions.Onnx;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(120)
class GrpcReflectionTest {
    private static final Pattern NUMBERED = Pattern.compile("(\\w+) = (\\d+);");

    private RunningReplica replica;
    private ManagedChannel channel;

    @BeforeEach
    void start() throws Exception {
        replica = RunningReplica.withSharedMemory(Onnx.addSub());
        channel = channel(replica.port);
    }

    @AfterEach
    void stop() throws Exception {
        channel.shutdownNow();
        replica.close();
    }

    /** The answer to one request, by field number. */
    private Map<Integer, List<byte[]>> ask(String version, int field, String value) throws Exception {
        var reflect = method("grpc.reflection." + version + ".ServerReflection/ServerReflectionInfo", MethodType.UNARY);
        byte[] request = message(out -> {
            out.writeString(1, "host");
            out.writeString(field, value);
        });
        Map<Integer, List<byte[]>> answer =
                fields(ClientCalls.blockingUnaryCall(channel, reflect, CallOptions.DEFAULT, request));
        assertThat(text(answer, 1)).isEqualTo("host");
        assertThat(answer.get(2)).containsExactly(request);
        return answer;
    }

    private FileDescriptorProto file(int field, String value) throws Exception {
        return FileDescriptorProto.parseFrom(
                fields(ask("v1", field, value).get(4).getFirst()).get(1).getFirst());
    }

    @ParameterizedTest
    @ValueSource(strings = {"v1", "v1alpha"})
    void listsTheServices(String version) throws Exception {
        List<String> names = new ArrayList<>();
        for (byte[] service : fields(ask(version, 7, "*").get(6).getFirst()).get(1)) {
            names.add(text(fields(service), 1));
        }
        assertThat(names).containsExactly("inference.GRPCInferenceService", "grpc.health.v1.Health");
    }

    @ParameterizedTest
    @CsvSource({
        "inference.GRPCInferenceService, inference.proto",
        "inference.GRPCInferenceService.ModelInfer, inference.proto",
        "inference.ModelInferRequest, inference.proto",
        "inference.ModelInferRequest.InferInputTensor, inference.proto",
        "inference.DataType, inference.proto",
        "grpc.health.v1.Health, health.proto",
        "grpc.health.v1.HealthCheckResponse.ServingStatus, health.proto"
    })
    void findsTheFileOfASymbol(String symbol, String file) throws Exception {
        assertThat(file(4, symbol).getName()).isEqualTo(file);
        assertThat(file(3, file)).isEqualTo(file(4, symbol));
    }

    @ParameterizedTest
    @CsvSource({"3, nothing.proto, 5", "4, inference.Nothing, 5", "4, '', 5", "6, inference.ModelInferRequest, 12"})
    void saysWhatItDoesNotHave(int field, String value, int code) throws Exception {
        byte[] error = ask("v1", field, value).get(7).getFirst();
        assertThat(error).startsWith(1 << 3, code);
        assertThat(text(fields(error), 2)).contains("services");
    }

    @Test
    void refusesALongRequest() {
        assertThatThrownBy(() -> ask("v1", 4, "x".repeat(4096)))
                .isInstanceOfSatisfying(
                        StatusRuntimeException.class,
                        refused -> assertThat(refused.getStatus().getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED));
    }

    @Test
    void asksForTheTokenLikeEveryCall() throws Exception {
        try (var guarded = new RunningReplica(Onnx.addSub(), RunningReplica.PLAIN, "secret")) {
            channel.shutdownNow();
            channel = channel(guarded.port);
            assertThatThrownBy(() -> ask("v1", 7, ""))
                    .isInstanceOfSatisfying(
                            StatusRuntimeException.class,
                            refused ->
                                    assertThat(refused.getStatus().getCode()).isEqualTo(Status.Code.PERMISSION_DENIED));
        }
    }

    @Test
    void everyMethodThatItTellsIsOffered() throws Exception {
        for (String file : List.of("inference.proto", "health.proto")) {
            FileDescriptorProto described = file(3, file);
            for (ServiceDescriptorProto service : described.getServiceList()) {
                String name = described.getPackage() + "." + service.getName() + "/";
                service.getMethodList().forEach(method -> expectOffered(name + method.getName()));
            }
        }
    }

    private void expectOffered(String method) {
        try {
            call(channel, method, new byte[0]);
        } catch (StatusRuntimeException refused) {
            assertThat(refused.getMessage()).as(method).doesNotContain("is not offered; there are");
        }
    }

    /** The descriptors are made by hand after a change: fields and values of the text that they lack are found. */
    @ParameterizedTest
    @ValueSource(strings = {"inference.proto", "health.proto"})
    void theDescriptorsAreThoseOfTheProtoFile(String file) throws Exception {
        FileDescriptorProto described = file(3, file);
        List<String> numbers = new ArrayList<>();
        described.getMessageTypeList().forEach(message -> addNumbers(message, numbers));
        described.getEnumTypeList().forEach(values -> addNumbers(values, numbers));

        String source = Files.readString(Path.of("grpc/src/main/proto").resolve(file));

        assertThat(NUMBERED.matcher(source).results().map(match -> match.group(1) + " = " + match.group(2)))
                .containsExactlyInAnyOrderElementsOf(numbers);
    }

    private static void addNumbers(DescriptorProto message, List<String> to) {
        if (!message.getOptions().getMapEntry()) {
            message.getFieldList().forEach(field -> to.add(field.getName() + " = " + field.getNumber()));
            message.getNestedTypeList().forEach(nested -> addNumbers(nested, to));
            message.getEnumTypeList().forEach(values -> addNumbers(values, to));
        }
    }

    private static void addNumbers(EnumDescriptorProto values, List<String> to) {
        values.getValueList().forEach(value -> to.add(value.getName() + " = " + value.getNumber()));
    }
}
