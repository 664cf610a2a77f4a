package io.knabla.storage;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests every guarantee of {@link ObjectStore}; the test of each adapter extends it and provides the store. */
public abstract class ObjectStoreContract {
    protected static final ObjectKey KEY = ObjectKey.of("catalog/functions/default/digits.json");
    private static final int RACERS = 16;

    /** Returns an empty store, the same one throughout a test. */
    protected abstract ObjectStore store();

    /** Returns whether the server can store both {@code a} and {@code a/b}; some S3 servers cannot. */
    protected boolean holdsEveryKey() {
        return true;
    }

    @Test
    void returnsEmptyForAnAbsentKey() throws IOException {
        assertThat(store().read(KEY)).isEmpty();
        assertThat(store().stat(KEY)).isEmpty();
        assertThat(store().open(KEY, ByteRange.ALL)).isEmpty();
        assertThat(store().localPath(KEY)).isEmpty();
        assertThat(store().replaceIfMatch(KEY, "0", content("x"))).isEmpty();
        assertThat(store().delete(KEY)).isFalse();
        assertThat(list("")).isEmpty();
    }

    @Test
    void readsBackBytesAndEtag() throws IOException {
        String etag = store().write(KEY, content("one"));

        StoredObject read = store().read(KEY).orElseThrow();
        ObjectInfo info = store().stat(KEY).orElseThrow();

        assertThat(new String(read.bytes(), UTF_8)).isEqualTo("one");
        assertThat(read.etag()).isEqualTo(etag);
        assertThat(info.key()).isEqualTo(KEY);
        assertThat(info.etag()).isEqualTo(etag);
        assertThat(info.size()).isEqualTo(3);
        assertThat(info.modified()).isNotNull();
    }

    @Test
    void storesEmptyAndLargeObjects() throws IOException {
        byte[] large = new byte[3_000_001];
        for (int i = 0; i < large.length; i++) {
            large[i] = (byte) (i * 31 + i / 251);
        }
        store().write(ObjectKey.of("empty"), Content.of(new byte[0]));
        store().write(ObjectKey.of("large"), Content.of(large));

        assertThat(text("empty")).isEmpty();
        assertThat(store().read(ObjectKey.of("large")).orElseThrow().bytes()).isEqualTo(large);
    }

    @Test
    void truncatesRangesAtTheEnd() throws IOException {
        store().write(KEY, content("0123456789"));

        assertThat(range(0, 3)).isEqualTo("012");
        assertThat(range(4, 2)).isEqualTo("45");
        assertThat(range(8, 100)).isEqualTo("89");
        assertThat(range(10, 1)).isEmpty();
        assertThat(range(1_000, 5)).isEmpty();
        assertThat(range(3, 0)).isEmpty();
        assertThat(range(0, Long.MAX_VALUE)).isEqualTo("0123456789");
        assertThat(range(7, Long.MAX_VALUE)).isEqualTo("789");
    }

    @Test
    void anOpenStreamKeepsTheObjectItOpened() throws IOException {
        store().write(KEY, content("before"));
        try (InputStream in = store().open(KEY, ByteRange.ALL).orElseThrow()) {
            assertThat(in.read()).isEqualTo('b');
            store().write(KEY, content("AFTERWARDS"));
            assertThat(new String(in.readAllBytes(), UTF_8)).isEqualTo("efore");
        }
        try (InputStream in = store().open(KEY, ByteRange.ALL).orElseThrow()) {
            store().delete(KEY);
            assertThat(new String(in.readAllBytes(), UTF_8)).isEqualTo("AFTERWARDS");
        }
    }

    @Test
    void createsOnlyOnce() throws IOException {
        Optional<String> first = store().createOnce(KEY, content("first"));
        Optional<String> second = store().createOnce(KEY, content("second"));

        assertThat(first).contains(store().stat(KEY).orElseThrow().etag());
        assertThat(second).isEmpty();
        assertThat(text(KEY.path())).isEqualTo("first");
    }

    @Test
    void replacesOnlyTheEtagThatIsThere() throws IOException {
        String first = store().write(KEY, content("1"));
        String second = store().replaceIfMatch(KEY, first, content("2")).orElseThrow();

        assertThat(store().replaceIfMatch(KEY, first, content("3"))).isEmpty();
        assertThat(store().replaceIfMatch(KEY, "nonsense", content("3"))).isEmpty();
        assertThat(text(KEY.path())).isEqualTo("2");
        assertThat(store().replaceIfMatch(KEY, second, content("3"))).isPresent();
        assertThat(text(KEY.path())).isEqualTo("3");
    }

    @Test
    void anEtagChangesWithTheContent() throws IOException {
        List<String> etags = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            etags.add(store().write(KEY, content("version " + etags.size())));
            if (i % 3 == 0) {
                store().delete(KEY);
                etags.add(store().createOnce(KEY, content("version " + etags.size()))
                        .orElseThrow());
            }
        }
        assertThat(etags).doesNotHaveDuplicates();
    }

    @Test
    void deletesOnce() throws IOException {
        store().write(KEY, content("x"));

        assertThat(store().delete(KEY)).isTrue();
        assertThat(store().delete(KEY)).isFalse();
        assertThat(store().read(KEY)).isEmpty();
        assertThat(list("")).isEmpty();
        assertThat(store().createOnce(KEY, content("again"))).isPresent();
    }

    @Test
    void listsInKeyOrderByPrefix() throws IOException {
        String[] keys = {"a/b/d", "a-b", "a.b", "ab", "a/b/c", "b/a", "a/B", "A/b", "a/b-c"};
        for (String key : keys) {
            store().write(ObjectKey.of(key), content(key));
        }
        assertThat(list("")).isEqualTo(Stream.of(keys).sorted().toList());
        assertThat(list("a/")).containsExactly("a/B", "a/b-c", "a/b/c", "a/b/d");
        assertThat(list("a/b")).containsExactly("a/b-c", "a/b/c", "a/b/d");
        assertThat(list("a/b/")).containsExactly("a/b/c", "a/b/d");
        assertThat(list("none/")).isEmpty();
        assertThat(list("/")).isEmpty();
        assertThat(list("../")).isEmpty();
        try (Stream<ObjectInfo> infos = store().list("b/a")) {
            assertThat(infos.toList())
                    .containsExactly(store().stat(ObjectKey.of("b/a")).orElseThrow());
        }
    }

    @Test
    void storesLongKeysAndKeysBelowOtherKeys() throws IOException {
        assumeTrue(
                holdsEveryKey(),
                "what is below this store keeps an object as a file of its name: no key may be another's folder, no segment longer than 255");
        String long1 = "x".repeat(512);
        String long2 = "X".repeat(255) + "/" + "y".repeat(256);
        String long3 = "x".repeat(120);
        for (String key : List.of("a", "a/b", "a/b/c", long1, long2, long3, long3 + "/z")) {
            store().write(ObjectKey.of(key), content("at " + key));
        }
        assertThat(text("a")).isEqualTo("at a");
        assertThat(text("a/b")).isEqualTo("at a/b");
        assertThat(text(long1)).isEqualTo("at " + long1);
        assertThat(list("")).containsExactly(long2, "a", "a/b", "a/b/c", long3, long3 + "/z", long1);
        assertThat(list(long3 + "x")).containsExactly(long1);
    }

    @Test
    void storesTheLongestKey() throws IOException {
        String longest = ("y".repeat(127) + "/").repeat(3) + "z".repeat(128);
        store().write(ObjectKey.of(longest), content("far away"));

        assertThat(text(longest)).isEqualTo("far away");
        assertThat(list(longest.substring(0, 400))).containsExactly(longest);
    }

    @Test
    void rejectsContentOfWrongSize() throws IOException {
        store().write(KEY, content("good"));
        for (long announced : new long[] {0, 3, 5, 1_000_000}) {
            Content liar = Contents.announcing(announced, "four".getBytes(UTF_8));
            assertThatThrownBy(() -> store().write(KEY, liar))
                    .isInstanceOf(WrongSizeException.class)
                    .hasMessageContaining(Long.toString(announced))
                    .hasMessageContaining("nothing was written");
            assertThatThrownBy(() -> store().createOnce(ObjectKey.of("new"), liar))
                    .isInstanceOf(WrongSizeException.class);
        }
        assertThat(text(KEY.path())).isEqualTo("good");
        assertThat(list("")).containsExactly(KEY.path());
    }

    @Test
    void passesOnContentErrorsAndWritesNothing() throws IOException {
        store().write(KEY, content("good"));
        Content broken = Contents.failingAfter(200_000, new IOException("the client went away"));

        assertThatThrownBy(() -> store().write(KEY, broken))
                .isInstanceOf(IOException.class)
                .hasMessage("the client went away");
        assertThatThrownBy(() -> store().createOnce(ObjectKey.of("new"), broken))
                .isInstanceOf(IOException.class);
        assertThat(text(KEY.path())).isEqualTo("good");
        assertThat(list("")).containsExactly(KEY.path());
    }

    @Test
    void exactlyOneConcurrentCreateSucceeds() throws Exception {
        for (int round = 0; round < 10; round++) {
            ObjectKey key = ObjectKey.of("race/" + round);
            List<Optional<String>> outcomes = race(racer -> store().createOnce(key, content("racer " + racer)));

            List<Integer> winners = winners(outcomes);
            assertThat(winners).hasSize(1);
            assertThat(text(key.path())).isEqualTo("racer " + winners.getFirst());
        }
    }

    @Test
    void exactlyOneConcurrentReplaceSucceeds() throws Exception {
        String etag = store().write(KEY, content("start"));
        for (int round = 0; round < 10; round++) {
            String expected = etag;
            String where = "round " + round + " racer ";
            List<Optional<String>> outcomes =
                    race(racer -> store().replaceIfMatch(KEY, expected, content(where + racer)));

            List<Integer> winners = winners(outcomes);
            assertThat(winners).hasSize(1);
            assertThat(text(KEY.path())).isEqualTo(where + winners.getFirst());
            etag = outcomes.get(winners.getFirst()).orElseThrow();
        }
    }

    @Test
    void losesNoConcurrentIncrement() throws Exception {
        store().write(KEY, content("0"));
        race(racer -> increment(5));

        assertThat(text(KEY.path())).isEqualTo(Integer.toString(5 * RACERS));
    }

    @Test
    void neverReadsPartialObjectsOrMismatchedEtags() throws Exception {
        Map<String, Integer> writtenBy = new ConcurrentHashMap<>();
        Map<String, Integer> readAs = new ConcurrentHashMap<>();
        writtenBy.put(store().write(KEY, Content.of(whole(999))), 999);

        race(racer -> racer < 4 ? overwrite(racer, writtenBy) : readWhole(readAs));

        assertThat(writtenBy).hasSize(81).containsAllEntriesOf(readAs);
    }

    private Optional<String> increment(int times) throws IOException {
        for (int done = 0; done < times; ) {
            StoredObject now = store().read(KEY).orElseThrow();
            int next = Integer.parseInt(new String(now.bytes(), UTF_8)) + 1;
            if (store().replaceIfMatch(KEY, now.etag(), content("" + next)).isPresent()) {
                done++;
            }
        }
        return Optional.empty();
    }

    private Optional<String> overwrite(int racer, Map<String, Integer> writtenBy) throws IOException {
        for (int i = 0; i < 20; i++) {
            int version = racer * 100 + i;
            writtenBy.put(store().write(KEY, Content.of(whole(version))), version);
        }
        return Optional.empty();
    }

    /** Repeats the number of a version: a mixture of two versions is detected. */
    private static byte[] whole(int version) {
        return "%03d".formatted(version).repeat(30_000 + version).getBytes(UTF_8);
    }

    private Optional<String> readWhole(Map<String, Integer> readAs) throws IOException {
        for (int i = 0; i < 100; i++) {
            StoredObject read = store().read(KEY).orElseThrow();
            readAs.put(read.etag(), versionOf(read.bytes()));
            try (InputStream in = store().open(KEY, ByteRange.ALL).orElseThrow()) {
                versionOf(in.readAllBytes());
            }
        }
        return Optional.empty();
    }

    private static int versionOf(byte[] bytes) {
        int version = Integer.parseInt(new String(bytes, 0, 3, UTF_8));
        assertThat(bytes).isEqualTo(whole(version));
        return version;
    }

    private interface Racer {
        Optional<String> run(int number) throws Exception;
    }

    private static List<Optional<String>> race(Racer racer) throws Exception {
        CyclicBarrier start = new CyclicBarrier(RACERS);
        List<Future<Optional<String>>> running = new ArrayList<>();
        List<Optional<String>> outcomes = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(RACERS)) {
            for (int i = 0; i < RACERS; i++) {
                int number = i;
                Callable<Optional<String>> run = () -> {
                    start.await();
                    return racer.run(number);
                };
                running.add(threads.submit(run));
            }
            for (Future<Optional<String>> one : running) {
                outcomes.add(one.get());
            }
        }
        return outcomes;
    }

    private static List<Integer> winners(List<Optional<String>> outcomes) {
        return Stream.iterate(0, i -> i < outcomes.size(), i -> i + 1)
                .filter(i -> outcomes.get(i).isPresent())
                .toList();
    }

    protected static Content content(String text) {
        return Content.of(text.getBytes(UTF_8));
    }

    protected final String text(String key) {
        return new String(store().read(ObjectKey.of(key)).orElseThrow().bytes(), UTF_8);
    }

    private String range(long offset, long length) throws IOException {
        try (InputStream in = store().open(KEY, new ByteRange(offset, length)).orElseThrow()) {
            int first = in.read();
            return first < 0 ? "" : (char) first + new String(in.readAllBytes(), UTF_8);
        }
    }

    protected final List<String> list(String prefix) {
        try (Stream<ObjectInfo> infos = store().list(prefix)) {
            return infos.map(info -> info.key().path()).toList();
        }
    }
}
