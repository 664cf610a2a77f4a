package io.knabla.runtime.assemble;

import ai.onnx.proto.OnnxMl.ModelProto;
import ai.onnx.proto.OnnxMl.NodeProto;
import io.knabla.functions.Onnx;
import io.knabla.functions.compiler.onnx.ElementType;
import io.knabla.storage.s3.S3ProxyServer;
import io.knabla.storage.s3.servers.SelfSigned;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;

/**
 * Last step of the build: assembles the folder from which replicas start. Kept with the tests because it needs what a
 * replica must not contain: the packager and a model for AOT training.
 */
public final class Assemble {
    private static final List<String> LIBRARIES = List.of("libonnxruntime.so", "libonnxruntime4j_jni.so");

    private Assemble() {}

    /**
     * @param arguments the folder; for an image, also the {@code java} in the image: then only the AOT caches are added
     *     to an otherwise complete folder
     */
    public static void main(String[] arguments) throws Exception {
        Path folder = Path.of(arguments[0]).toAbsolutePath();
        if (arguments.length > 1) {
            assembleForImage(Path.of(arguments[1]), folder);
            return;
        }
        unpackLibraries(folder.resolve("native"));
        Path java = Path.of(System.getProperty("java.home"), "bin", "java");
        var cache = new AotCache(java, folder, "replica");
        if (!cache.isThere()) {
            try (var unit = SampleUnit.of(model())) {
                make(cache, unit, port -> new AotTrainingLoad(port).run());
            }
        }
        cache.writeArguments();
        assembleWithSdk(java, folder);
        writeOwnArguments(folder);
        System.out.println("replica: " + folder.resolve("replica.args"));
    }

    /** Writes an argument file with which {@code ./knabla images} runs this class without Maven. */
    private static void writeOwnArguments(Path folder) throws IOException {
        Files.write(
                folder.resolveSibling("assemble.args"),
                List.of(
                        "--enable-native-access=ALL-UNNAMED",
                        "-XX:TieredStopAtLevel=1",
                        "-classpath",
                        '"' + System.getProperty("java.class.path") + '"',
                        Assemble.class.getName()));
    }

    /**
     * In a pod a replica fetches its unit from S3 itself, without the SDK and usually over TLS: so does the one that
     * trains the cache.
     */
    private static void assembleForImage(Path java, Path folder) throws Exception {
        var cache = new AotCache(java, folder, "replica");
        if (!cache.isThere()) {
            Path buckets = Files.createTempDirectory("knabla-buckets");
            try (var server = S3ProxyServer.startWithTls(buckets, SelfSigned.make(buckets));
                    var unit = SampleUnit.inS3(model(), server)) {
                make(cache, unit, port -> new AotTrainingLoad(port).run());
            } finally {
                SampleUnit.delete(buckets);
            }
        }
        cache.writeArguments();
        assembleWithSdk(java, folder);
    }

    /**
     * Builds a second AOT cache with the classes of the SDK's S3 client, for replicas that write to S3. Their start
     * then takes 0.36 of the CPU time; replicas without the SDK would take 1.34 with it, hence two caches.
     */
    private static void assembleWithSdk(Path java, Path folder) throws Exception {
        var cache = new AotCache(java, folder, "replica-s3");
        if (!cache.isThere()) {
            Path buckets = Files.createTempDirectory("knabla-buckets");
            try (var server = S3ProxyServer.start(buckets);
                    var unit = SampleUnit.stepInS3(Onnx.mlp(64, 400, 64), server)) {
                make(cache, unit, port -> new AotTrainingLoad(port).steps());
            } finally {
                SampleUnit.delete(buckets);
            }
        }
        cache.writeArguments();
    }

    private static void make(AotCache cache, SampleUnit unit, AotCache.Load load) throws Exception {
        cache.train(unit, load);
        cache.verify(unit, load);
    }

    /** A perceptron that also takes and answers a text, so that what a first text needs is in the cache. */
    private static ModelProto model() {
        ModelProto.Builder model = Onnx.mlp(64, 400, 64).toBuilder();
        model.getGraphBuilder()
                .addInput(Onnx.value("s", ElementType.STRING, "batch"))
                .addOutput(Onnx.value("t", ElementType.STRING, "batch"))
                .addNode(NodeProto.newBuilder()
                        .setOpType("Identity")
                        .addInput("s")
                        .addOutput("t"));
        return model.build();
    }

    /** Unpacks once per build: unpacking 28 MB at each start would cost more than the rest of the start. */
    private static void unpackLibraries(Path into) throws IOException {
        Files.createDirectories(into);
        String platform = platform();
        for (String library : LIBRARIES) {
            Path target = into.resolve(library);
            String resource = "/ai/onnxruntime/native/" + platform + "/" + library;
            try (InputStream in = Assemble.class.getResourceAsStream(resource)) {
                if (in == null) {
                    throw new IOException(
                            "this ONNX Runtime has no libraries for " + platform + ": use Linux on x64 or aarch64");
                }
                Files.copy(in, target, StandardCopyOption.REPLACE_EXISTING);
            }
        }
    }

    private static String platform() {
        String machine = System.getProperty("os.arch");
        return "linux-" + Map.of("amd64", "x64").getOrDefault(machine, machine);
    }
}
