package io.knabla.controller.models;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.home.Home;
import io.knabla.controller.models.ExternalModels.FetchResult;
import io.knabla.controller.models.ModelSource.Place;
import io.knabla.controller.models.ModelSource.Source;
import io.knabla.functions.Fault;
import io.knabla.functions.decoder.TestEncoder;
import io.knabla.functions.decoder.TestModel;
import io.knabla.functions.spec.FunctionSpec.FunctionType;
import io.knabla.functions.unit.Sha256;
import io.knabla.storage.ByteRange;
import io.knabla.storage.Content;
import io.knabla.storage.ExternalAddress;
import io.knabla.storage.ExternalObjects;
import io.knabla.storage.ObjectKey;
import io.knabla.storage.ObjectStore;
import io.knabla.storage.s3.S3ProxyServer;
import io.knabla.storage.s3.S3Server;
import io.knabla.storage.setup.Stores;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Copies objects of another bucket to a store in memory. */
class ExternalModelsTest {
    private static final long MOST = 8 << 20;

    @TempDir
    static Path buckets;

    private static S3Server server;
    private static ObjectStore theirs;
    private static String bucket;

    @TempDir
    Path folder;

    private ObjectStore store;
    private Counting objects;
    private ExternalModels models;

    /** Delegates to the real port and counts reads. */
    private record Counting(ExternalObjects real, AtomicInteger opened) implements ExternalObjects {
        @Override
        public StatResult stat(ExternalAddress address) {
            return real.stat(address);
        }

        @Override
        public InputStream open(ExternalAddress address, String etag, ByteRange range) {
            opened.incrementAndGet();
            return real.open(address, etag, range);
        }

        @Override
        public int parallelism() {
            return real.parallelism();
        }

        @Override
        public void close() {
            real.close();
        }
    }

    @BeforeAll
    static void start() {
        server = S3ProxyServer.start(buckets);
        bucket = server.newBucket();
        theirs = Stores.open("s3://" + bucket, server.environment());
    }

    @AfterAll
    static void stop() {
        theirs.close();
        server.close();
    }

    @BeforeEach
    void open() {
        store = Stores.open("memory:///");
        objects = new Counting(Stores.external(server.environment()), new AtomicInteger());
        var names = new AtomicInteger();
        models = new ExternalModels(
                objects, store, new LocalModels(store, new Home(folder), () -> "n" + names.incrementAndGet()), MOST);
    }

    private static byte[] bytes(int size, long seed) {
        byte[] bytes = new byte[size];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    private static void put(String key, byte[] bytes) throws IOException {
        theirs.write(new ObjectKey(key), Content.of(bytes));
    }

    private static Source.External source(String key) {
        return new Source.External(
                new Place.External(new ExternalAddress(bucket, key)), Map.of(), Optional.empty(), Optional.empty());
    }

    private Source.Uploaded brought(String key) {
        try (FetchResult.Fetched here = (FetchResult.Fetched) models.fetch(source(key))) {
            return here.source();
        }
    }

    private List<Path> left() throws IOException {
        try (var files = Files.list(folder.resolve("uploads"))) {
            return files.toList();
        }
    }

    @Test
    void readsAnObjectOncePerState() throws IOException {
        byte[] first = bytes(5 << 20, 1);
        put("once", first);
        assertThat(brought("once").model()).isEqualTo(Sha256.of(first));
        int opened = objects.opened().get();
        assertThat(opened).isPositive();
        assertThat(brought("once").model()).isEqualTo(Sha256.of(first));
        assertThat(objects.opened()).hasValue(opened);

        byte[] second = bytes(1000, 2);
        put("once", second);
        assertThat(brought("once").model()).isEqualTo(Sha256.of(second));
        assertThat(objects.opened()).hasValueGreaterThan(opened);
        assertThat(left()).isEmpty();
    }

    @Test
    void copiesACollectedModelAgain() throws IOException {
        byte[] bytes = bytes(1000, 3);
        put("collected", bytes);
        brought("collected");
        store.delete(ModelKeys.model(Sha256.of(bytes)));
        brought("collected");
        assertThat(store.stat(ModelKeys.model(Sha256.of(bytes)))).isPresent();
    }

    @Test
    void readsOnceForConcurrentDeploys() throws Exception {
        put("shared", bytes(1000, 4));
        try (var threads = Executors.newFixedThreadPool(6)) {
            for (var one : threads.invokeAll(
                    Collections.nCopies(6, () -> brought("shared").model()))) {
                assertThat(one.get()).isEqualTo(Sha256.of(bytes(1000, 4)));
            }
        }
        assertThat(objects.opened()).hasValue(1);
        assertThat(left()).isEmpty();
    }

    private Set<String> broughtFromFolder(String folder, FunctionType type) {
        var config = new Place.External(new ExternalAddress(bucket, folder + "/config.json"));
        var source = new Source.External(config, Map.of(), Optional.empty(), Optional.of(type));
        try (FetchResult.Fetched here = (FetchResult.Fetched) models.fetch(source)) {
            return here.source().externalData().keySet();
        }
    }

    private static void putText(String key, String text) throws IOException {
        put(key, text.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void findsWhatPackagingReadsOfAFolder() throws IOException {
        putText("writer/config.json", TestModel.of("llama").config().toString());
        putText("writer/tokenizer.json", "{}");
        putText("writer/README.md", "not read");
        putText(
                "writer/model.safetensors.index.json",
                "{\"weight_map\": {\"a\": \"1.safetensors\", \"b\": \"2.safetensors\", \"c\": \"../3.safetensors\"}}");
        put("writer/1.safetensors", bytes(100, 5));
        put("3.safetensors", bytes(100, 6));

        assertThat(broughtFromFolder("writer", FunctionType.Generation))
                .containsExactlyInAnyOrder("tokenizer.json", "model.safetensors.index.json", "1.safetensors");
        int opened = objects.opened().get();
        assertThat(broughtFromFolder("writer", FunctionType.Generation)).hasSize(3);
        assertThat(objects.opened()).as("nothing is read twice").hasValue(opened);
        assertThat(left()).isEmpty();
    }

    @Test
    void findsTheFilesThatAnEncodersModulesName() throws IOException {
        Path model = TestEncoder.of("bert").write(folder.resolve("bert"));
        putText("encoder/config.json", Files.readString(model.resolve("config.json")));
        putText(
                "encoder/modules.json",
                "[{'type': 'models.Pooling', 'path': '1_Pooling'}, {'type': 'models.Pooling', 'path': '1_Pooling'}]"
                        .replace('\'', '"'));
        putText("encoder/1_Pooling/config.json", "{}");
        put("encoder/model.safetensors", bytes(100, 7));

        assertThat(broughtFromFolder("encoder", FunctionType.Encoder))
                .containsExactlyInAnyOrder("modules.json", "1_Pooling/config.json", "model.safetensors");
    }

    @Test
    void copiesNothingElseOfAModelThatCannotBePackaged() throws IOException {
        putText("unknown/config.json", "{\"architectures\": [\"FalconForCausalLM\"]}");
        putText("unknown/tokenizer.json", "{}");
        put("unknown/model.safetensors", bytes(100, 8));
        var config = new Place.External(new ExternalAddress(bucket, "unknown/config.json"));
        var source = new Source.External(config, Map.of(), Optional.empty(), Optional.of(FunctionType.Generation));

        var refused = (FetchResult.Refused) models.fetch(source);

        assertThat(refused.faults()).extracting(Fault::toString).anyMatch(fault -> fault.contains("FalconForCausalLM"));
        assertThat(objects.opened()).as("objects that were read").hasValue(1);
    }

    @Test
    void reportsAllUnavailableObjectsAtOnce() throws IOException {
        put("huge", new byte[(int) MOST + 1]);
        var source = new Source.External(
                new Place.External(new ExternalAddress(bucket, "huge")),
                Map.of("w", new Place.External(new ExternalAddress(bucket, "no/weights"))),
                Optional.of(new Place.External(new ExternalAddress("no-such-bucket", "key"))),
                Optional.empty());
        var refused = (FetchResult.Refused) models.fetch(source);
        assertThat(refused.faults())
                .extracting(fault -> fault.path())
                .containsExactly("spec.model", "spec.externalData.w", "spec.quantize.calibration");
        assertThat(refused.faults().getFirst().message()).contains("KNABLA_UPLOAD_MEBIBYTES");
        assertThat(objects.opened()).hasValue(0);
    }
}
