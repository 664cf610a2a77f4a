package io.knabla.bench.store;

import io.knabla.bench.machine.Folders;
import io.knabla.functions.unit.Blob;
import io.knabla.functions.unit.Digest;
import io.knabla.functions.unit.GraphManifest;
import io.knabla.functions.unit.GraphManifest.ModelVersion;
import io.knabla.functions.unit.Sha256;
import io.knabla.functions.unit.UnitStore;
import io.knabla.storage.Content;
import io.knabla.storage.ObjectStore;
import io.knabla.storage.setup.Stores;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Main class of a child process that times transfers by Knabla and by a minimal client, in turn. Prints one line per
 * round, in seconds: upload by Knabla and by the client; download by Knabla, by the client, and by the client with
 * SHA-256 verification.
 */
public final class TransferProbe implements AutoCloseable {
    private static final String PLAIN = "plain";
    private static final int TINY = 4 << 10;

    private final ObjectStore store;
    private final UnitStore units;
    private final Presigner presigner;
    private final Path folder = Folders.temporary();
    private final Path source;
    private final Blob weight;
    private final Blob graph;

    private TransferProbe(String bucket, boolean sparse, long size) throws IOException {
        store = Stores.open("s3://" + bucket);
        units = new UnitStore(store);
        presigner = new Presigner(System.getenv(), bucket);
        source = folder.resolve("source");
        weight = blob(sparse ? TestFiles.sparse(source, size) : TestFiles.random(source, size));
        Path small = TestFiles.random(folder.resolve("graph"), TINY);
        graph = blob(small);
        units.writeBlob(graph, Content.of(small));
    }

    /** Arguments: bucket, {@code random|sparse}, bytes, rounds. */
    public static void main(String[] arguments) throws Exception {
        try (var probe = new TransferProbe(arguments[0], arguments[1].equals("sparse"), Long.parseLong(arguments[2]))) {
            for (int round = Integer.parseInt(arguments[3]); round > 0; round--) {
                probe.round();
            }
        }
    }

    private void round() throws Exception {
        TestFiles.warm(source);
        store.delete(UnitStore.blobKey(weight.digest()));
        double uploaded = seconds(() -> units.writeBlob(weight, Content.of(source)));
        double put = seconds(this::put);
        double fetched = seconds(this::materialise);
        double ranged = seconds(this::ranges);
        double verified = seconds(this::verifiedRanges);
        System.out.printf("%s %s %s %s %s%n", uploaded, put, fetched, ranged, verified);
    }

    private void put() throws IOException {
        try (var connection = new RawConnection(presigner.put(PLAIN));
                var file = FileChannel.open(source)) {
            connection.put(presigner.put(PLAIN), file);
        }
    }

    private void materialise() throws IOException {
        Digest unit = units.write(new GraphManifest(
                GraphManifest.SCHEMA, graph, List.of(weight), List.of(), List.of(), false, new ModelVersion(10, 20)));
        Path cache = folder.resolve("cache");
        Path made = units.materialise(unit, cache);
        if (Files.size(made.resolve(weight.digest().hex())) != weight.size()) {
            throw new IllegalStateException("the unit is not whole");
        }
    }

    private void ranges() throws Exception {
        Path to = folder.resolve(PLAIN);
        RangeDownload.fetch(presigner.get(PLAIN), to, weight.size());
    }

    private void verifiedRanges() throws Exception {
        ranges();
        if (!blob(folder.resolve(PLAIN)).equals(weight)) {
            throw new IllegalStateException("other bytes came");
        }
    }

    private static Blob blob(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            return new Blob(Sha256.of(in), Files.size(file));
        }
    }

    /** Work to time. */
    private interface Work {
        void run() throws Exception;
    }

    private double seconds(Work work) throws Exception {
        long start = System.nanoTime();
        work.run();
        double seconds = (System.nanoTime() - start) / 1e9;
        Files.deleteIfExists(folder.resolve(PLAIN));
        Path cache = folder.resolve("cache");
        if (Files.exists(cache)) {
            Folders.delete(cache);
        }
        return seconds;
    }

    @Override
    public void close() {
        presigner.close();
        store.close();
        Folders.delete(folder);
    }
}
