package io.knabla.runtime.assemble;

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
        caches(java, folder, SampleUnit.Place.DISK);
        cacheWithSdk(java, folder);
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
     * In a pod a replica fetches its unit from S3 itself, without the SDK and usually over TLS: so do those that train
     * the caches.
     */
    private static void assembleForImage(Path java, Path folder) throws Exception {
        Path buckets = Files.createTempDirectory("knabla-buckets");
        try (var server = S3ProxyServer.startWithTls(buckets, SelfSigned.make(buckets))) {
            caches(java, folder, SampleUnit.Place.in(server));
        } finally {
            SampleUnit.delete(buckets);
        }
        cacheWithSdk(java, folder);
    }

    /**
     * Builds the AOT cache of replicas that run a graph, and that of pool members and of replicas of texts, which has
     * the classes of all. Relative to the first, with the second (medians of 25 and 9 interleaved starts):
     *
     * <pre>
     *                              elapsed   CPU    private memory
     * replica of a graph           1.12      1.07   1.12
     * replica of texts             0.80      0.78   0.97
     * pool member that wakes
     *   with a graph               1.02      1.04   0.86
     *   with texts                 0.73      0.61   0.85
     * </pre>
     */
    private static void caches(Path java, Path folder, SampleUnit.Place place) throws Exception {
        var one = new AotCache(java, folder, "replica");
        if (!one.isThere()) {
            try (var trainee = Trainees.inference(place)) {
                one.train(trainee);
                one.verify(trainee);
            }
        }
        one.writeArguments();
        var all = new AotCache(java, folder, "replica-all");
        if (!all.isThere()) {
            try (var trainees = Trainees.readers(place)) {
                all.train(trainees);
                all.verify(trainees.all().getFirst());
            }
        }
        all.writeArguments();
    }

    /**
     * Builds the AOT cache with the classes of the SDK's S3 client, for replicas that write to S3. Their start then
     * takes 0.36 of the CPU time; replicas without the SDK would take 1.34 with it.
     */
    private static void cacheWithSdk(Path java, Path folder) throws Exception {
        var cache = new AotCache(java, folder, "replica-s3");
        if (!cache.isThere()) {
            Path buckets = Files.createTempDirectory("knabla-buckets");
            try (var server = S3ProxyServer.start(buckets);
                    var trainee = Trainees.step(SampleUnit.Place.in(server))) {
                cache.train(trainee);
                cache.verify(trainee);
            } finally {
                SampleUnit.delete(buckets);
            }
        }
        cache.writeArguments();
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
