package io.knabla.runtime.grpc;

import io.knabla.runtime.http.HttpResponse;
import io.knabla.runtime.paths.ModelAction;
import io.knabla.runtime.paths.ServerAction;
import io.knabla.runtime.shm.SharedRegions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** The calls that ask about servers, models and shared memory, or prepare them, and that infer nothing. */
final class Queries {
    private static final String SERVICE = "/inference.GRPCInferenceService/";
    private static final byte[] EMPTY_OBJECT = "{}".getBytes(StandardCharsets.US_ASCII);
    private static final int SERVING = 1;
    private static final int NOT_SERVING = 2;

    private final GrpcCall call;
    private final SharedMemoryCalls system;
    private final SharedMemoryCalls cuda;

    Queries(GrpcCall call) {
        this.call = call;
        system = new SharedMemoryCalls(call, SharedRegions.PATH);
        cuda = new SharedMemoryCalls(call, SharedRegions.CUDA_PATH);
    }

    WireWriter answer(String path, WireReader request) throws IOException {
        return switch (path) {
            case SERVICE + "ServerLive" -> new WireWriter(8).flag(1, isReady(ServerAction.LIVE.path()));
            case SERVICE + "ServerReady" -> new WireWriter(8).flag(1, isReady(ServerAction.READY.path()));
            case SERVICE + "ModelReady" ->
                new WireWriter(8).flag(1, isReady(ModelName.of(request).path(ModelAction.READY)));
            case SERVICE + "ServerMetadata" -> server();
            case SERVICE + "ModelMetadata" -> model(ModelName.of(request));
            case SERVICE + "RepositoryIndex" -> index();
            case SERVICE + "ModelConfig" ->
                ModelState.configuration(call.get(ModelName.of(request).path(ModelAction.CONFIG)));
            case SERVICE + "ModelStatistics" -> statistics(ModelName.of(request));
            case SERVICE + "RepositoryModelLoad" ->
                RepositoryRequest.read(request).post(ModelAction.LOAD, call);
            case SERVICE + "RepositoryModelUnload" ->
                RepositoryRequest.read(request).post(ModelAction.UNLOAD, call);
            case SERVICE + "SystemSharedMemoryStatus" -> system.status(request);
            case SERVICE + "SystemSharedMemoryRegister" -> system.register(request);
            case SERVICE + "SystemSharedMemoryUnregister" -> system.unregister(request);
            case SERVICE + "CudaSharedMemoryStatus" -> cuda.status(request);
            case SERVICE + "CudaSharedMemoryRegister" -> cuda.register(request);
            case SERVICE + "CudaSharedMemoryUnregister" -> cuda.unregister(request);
            case "/grpc.health.v1.Health/Check" ->
                new WireWriter(8).number(1, isReady(ServerAction.READY.path()) ? SERVING : NOT_SERVING);
            default ->
                throw new GrpcException(
                        GrpcStatus.UNIMPLEMENTED,
                        "%s is not offered; there are ServerLive, ServerReady, ModelReady, ServerMetadata, ModelMetadata, ModelInfer, ModelStreamInfer, ModelConfig, ModelStatistics, RepositoryIndex, RepositoryModelLoad and -Unload, SystemSharedMemoryStatus, -Register and -Unregister of inference.GRPCInferenceService, Check of grpc.health.v1.Health, and reflection"
                                .formatted(path));
        };
    }

    private boolean isReady(String target) throws IOException {
        HttpResponse answer = call.call("GET", target, GrpcCall.NOTHING, -1);
        return answer.status() != 503 && GrpcCall.expectSuccess(answer).status() == 200;
    }

    private WireWriter server() throws IOException {
        Object server = call.get(ServerAction.METADATA.path());
        var message = new WireWriter(128).text(1, Json.text(server, "name")).text(2, Json.text(server, "version"));
        Json.list(server, "extensions").forEach(extension -> message.text(3, extension.toString()));
        return message;
    }

    private WireWriter model(ModelName name) throws IOException {
        Object model = call.get(name.path(ModelAction.METADATA));
        var message = new WireWriter(512).text(1, Json.text(model, "name"));
        Json.list(model, "versions").forEach(version -> message.text(2, version.toString()));
        message.text(3, Json.text(model, "platform"));
        Json.list(model, "inputs").forEach(input -> message.message(4, tensor(input)));
        Json.list(model, "outputs").forEach(output -> message.message(5, tensor(output)));
        return message;
    }

    private static WireWriter tensor(Object tensor) {
        return new WireWriter(64)
                .text(1, Json.text(tensor, "name"))
                .text(2, Json.text(tensor, "datatype"))
                .packed(3, Json.list(tensor, "shape"));
    }

    private WireWriter statistics(ModelName model) throws IOException {
        return ModelState.statistics(
                call.get(model.isEmpty() ? ServerAction.STATISTICS.path() : model.path(ModelAction.STATISTICS)));
    }

    private WireWriter index() throws IOException {
        HttpResponse answer = GrpcCall.expectSuccess(call.call("POST", ServerAction.INDEX.path(), EMPTY_OBJECT, -1));
        var message = new WireWriter(256);
        if (Json.read(answer.body(), answer.length()) instanceof Iterable<?> models) {
            for (Object model : models) {
                message.message(
                        1,
                        new WireWriter(64)
                                .text(1, Json.text(model, "name"))
                                .text(2, Json.text(model, "version"))
                                .text(3, Json.text(model, "state"))
                                .text(4, Json.text(model, "reason")));
            }
        }
        return message;
    }
}
