package io.knabla.runtime.modes;

import io.knabla.functions.unit.Blob;
import io.knabla.functions.unit.DataType;
import io.knabla.functions.unit.Digest;
import io.knabla.functions.unit.GraphManifest;
import io.knabla.functions.unit.Sha256;
import io.knabla.functions.unit.TensorSpec;
import io.knabla.functions.unit.UnitStore;
import io.knabla.runtime.benchmark.TinyModel;
import io.knabla.runtime.paths.ModelAction;
import io.knabla.storage.Content;
import io.knabla.storage.ObjectStore;
import io.knabla.storage.setup.Stores;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * Serves a unit of one operator once, so that a later start finds all classes loaded, the engine's library initialised
 * and its own path run before.
 */
final class WarmUp {
    private static final String LOOPBACK = "127.0.0.1";

    /** More calls do not make the first call of a real unit faster, and cost the pool memory. */
    private static final int CALLS = 2;

    private static final byte[] BODY =
            "{\"inputs\":[{\"name\":\"a\",\"shape\":[1,4],\"datatype\":\"FP32\",\"data\":[1.5,-2,3e-3,4]}]}"
                    .getBytes(StandardCharsets.US_ASCII);

    private WarmUp() {}

    /** @param own variables of this process, of which it keeps what it computes on */
    static void run(Map<String, String> own) throws IOException {
        Path folder = Files.createTempDirectory("warm-up");
        try {
            Settings settings = Settings.parse(environment(folder, own));
            Carriers.prepare(settings.engine().concurrency());
            serve(settings);
            if (!settings.engine().device().isCpu()) {
                DeviceWarmUp.run(settings.engine().device(), folder);
            }
        } finally {
            delete(folder);
        }
    }

    private static Map<String, String> environment(Path folder, Map<String, String> own) throws IOException {
        String location = folder.resolve("store").toUri().toString();
        Map<String, String> environment = new HashMap<>();
        environment.put("KNABLA_UNIT", store(location).value());
        environment.put("KNABLA_STORE", location);
        environment.put("KNABLA_CACHE", folder.resolve("cache").toString());
        // Its port is open to every user of this machine.
        environment.put("KNABLA_REPLICA_TOKEN", UUID.randomUUID().toString());
        if (own.containsKey(GpuSettings.DEVICE)) {
            environment.put(GpuSettings.DEVICE, own.get(GpuSettings.DEVICE));
        }
        return environment;
    }

    private static Digest store(String location) throws IOException {
        byte[] model = TinyModel.unary("Relu");
        Blob graph = new Blob(Sha256.of(model), model.length);
        List<Long> shape = List.of(-1L, 4L);
        List<String> names = List.of("N", "");
        try (ObjectStore store = Stores.open(location)) {
            var units = new UnitStore(store);
            units.writeBlob(graph, Content.of(model));
            return units.write(new GraphManifest(
                    GraphManifest.SCHEMA,
                    graph,
                    List.of(),
                    List.of(new TensorSpec("a", DataType.FP32, shape, names)),
                    List.of(new TensorSpec("y", DataType.FP32, shape, names)),
                    true,
                    TinyModel.VERSION));
        }
    }

    private static void serve(Settings settings) throws IOException {
        try (var replica = Protocols.replica(Serve.replicaSettings(settings))) {
            int port = replica.listen(LOOPBACK, 0);
            LoadedUnit unit = LoadedUnit.load(settings);
            try (var model = unit.model()) {
                replica.serve(model);
                call(
                        port,
                        ModelAction.INFER.path(settings.model().name()),
                        settings.access().token());
            }
        }
    }

    private static void call(int port, String path, String token) throws IOException {
        byte[] head = "POST %s HTTP/1.1\r\nHost: localhost\r\nKnabla-Replica-Token: %s\r\nContent-Length: %d\r\n\r\n"
                .formatted(path, token, BODY.length)
                .getBytes(StandardCharsets.US_ASCII);
        byte[] answer = new byte[4096];
        for (int i = 0; i < CALLS; i++) {
            try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
                socket.getOutputStream().write(head);
                socket.getOutputStream().write(BODY);
                int count = socket.getInputStream().read(answer);
                String status = new String(answer, 0, Math.max(count, 0), StandardCharsets.ISO_8859_1);
                if (!status.startsWith("HTTP/1.1 200 ")) {
                    throw new IOException("a pool member cannot serve its own test unit: " + status);
                }
            }
        }
    }

    private static void delete(Path folder) throws IOException {
        try (var files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
