package io.knabla.runtime.answers;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.protobuf.ByteString;
import io.grpc.ManagedChannel;
import io.knabla.functions.unit.DataType;
import io.knabla.runtime.engine.Engine;
import io.knabla.runtime.engine.EngineSettings;
import io.knabla.runtime.inference.EngineModel;
import io.knabla.runtime.serve.Replica;
import io.knabla.runtime.serve.ReplicaSettings;
import io.knabla.runtime.units.GrpcMessages;
import io.knabla.runtime.units.TestReplica;
import io.knabla.runtime.units.TestUnit;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** One replica in this process that serves one model after the other, called over sockets. */
final class Deployed implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String LENGTH = "Inference-Header-Content-Length";
    private static final Duration LONG = Duration.ofSeconds(60);

    /** The ways to call a model. */
    enum Form {
        JSON,
        BINARY,
        GRPC;

        static Form of(int call) {
            return values()[call % values().length];
        }
    }

    private final Replica replica = TestReplica.replica(ReplicaSettings.of("m", "1", "", 1 << 20, LONG));
    private final URI address;
    private final HttpClient client = HttpClient.newHttpClient();
    private final ManagedChannel channel;
    private final ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor();

    Deployed() throws IOException {
        int port = replica.listen("127.0.0.1", 0);
        address = URI.create("http://127.0.0.1:" + port + "/v2/models/m/infer");
        channel = GrpcMessages.channel(port);
    }

    /** Outputs in the model's order for each request, run one after the other, each in another form. */
    List<List<Values>> alone(TestUnit unit, List<Request> requests) throws Exception {
        try (var engine = Engine.open(unit.folder(), unit.manifest(), EngineSettings.DEFAULTS)) {
            replica.serve(new EngineModel(engine, unit.manifest()));
            var answers = new ArrayList<List<Values>>();
            for (Request request : requests) {
                answers.add(infer(request, Form.of(answers.size())));
            }
            return answers;
        }
    }

    /** The same for requests that share one run. */
    List<List<Values>> together(TestUnit unit, List<Request> requests) throws Exception {
        int rows = requests.stream().mapToInt(Request::rows).sum();
        // The batch ends when it is full: the delay never passes.
        var settings = new EngineSettings(1, requests.size(), LONG, rows, LONG, 1);
        try (var engine = Engine.open(unit.folder(), unit.manifest(), settings)) {
            replica.serve(new EngineModel(engine, unit.manifest()));
            var calls = new ArrayList<Future<List<Values>>>();
            for (Request request : requests) {
                Form form = Form.of(calls.size());
                calls.add(callers.submit(() -> infer(request, form)));
            }
            var answers = new ArrayList<List<Values>>();
            for (Future<List<Values>> call : calls) {
                answers.add(call.get());
            }
            if (engine.runs() != 1) {
                throw new AssertionError(engine.runs() + " runs, not one for all requests");
            }
            return answers;
        }
    }

    private List<Values> infer(Request request, Form form) throws Exception {
        return switch (form) {
            case JSON -> ofHttp(send(HttpRequest.newBuilder(address), request.json()));
            case BINARY -> {
                byte[] heads = request.heads();
                ByteString body = ByteString.copyFrom(heads).concat(ByteString.copyFrom(request.tensors()));
                yield ofHttp(send(
                        HttpRequest.newBuilder(address).header(LENGTH, Integer.toString(heads.length)),
                        body.toByteArray()));
            }
            case GRPC -> ofMessage(GrpcMessages.infer(channel, request.grpc()));
        };
    }

    private HttpResponse<byte[]> send(HttpRequest.Builder call, byte[] body) throws IOException, InterruptedException {
        return client.send(call.POST(BodyPublishers.ofByteArray(body)).build(), BodyHandlers.ofByteArray());
    }

    private static List<Values> ofHttp(HttpResponse<byte[]> answer) throws IOException {
        if (answer.statusCode() != 200) {
            throw new AssertionError(answer.statusCode() + " " + new String(answer.body()));
        }
        byte[] body = answer.body();
        int at = answer.headers().firstValue(LENGTH).map(Integer::parseInt).orElse(body.length);
        var values = new ArrayList<Values>();
        for (JsonNode output : JSON.readTree(body, 0, at).path("outputs")) {
            var shape = new ArrayList<Long>();
            output.path("shape").forEach(size -> shape.add(size.asLong()));
            DataType type = DataType.valueOf(output.path("datatype").asText());
            JsonNode size = output.at("/parameters/binary_data_size");
            if (size.isMissingNode()) {
                values.add(Values.of(shape, type, output.path("data")));
            } else {
                values.add(Values.of(shape, type, ByteBuffer.wrap(body, at, size.asInt())));
                at += size.asInt();
            }
        }
        return values;
    }

    private static List<Values> ofMessage(ByteString answer) throws IOException {
        List<ByteString> heads = GrpcMessages.field(answer, 5);
        List<ByteString> tensors = GrpcMessages.field(answer, 6);
        var values = new ArrayList<Values>();
        for (int i = 0; i < heads.size(); i++) {
            var shape = new ArrayList<Long>();
            for (ByteString packed : GrpcMessages.field(heads.get(i), 3)) {
                for (var in = packed.newCodedInput(); !in.isAtEnd(); ) {
                    shape.add(in.readInt64());
                }
            }
            String type = GrpcMessages.field(heads.get(i), 2).getFirst().toStringUtf8();
            values.add(Values.of(shape, DataType.valueOf(type), tensors.get(i).asReadOnlyByteBuffer()));
        }
        return values;
    }

    @Override
    public void close() {
        callers.close();
        channel.shutdownNow();
        client.close();
        replica.close();
    }
}
