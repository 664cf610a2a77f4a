package io.knabla.storage.s3;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.storage.ByteRange;
import io.knabla.storage.Content;
import io.knabla.storage.ObjectInfo;
import io.knabla.storage.ObjectKey;
import io.knabla.storage.ObjectStore;
import io.knabla.storage.s3.client.S3Bucket;
import io.knabla.storage.s3.client.S3Settings;
import io.knabla.storage.s3.faults.S3Location;
import io.knabla.storage.s3.parts.MultipartUploads;
import io.knabla.storage.s3.parts.PartSettings;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.LongFunction;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests clients that create one large object concurrently and may resume each other's uploads. */
abstract class MultipartRaceContract {
    private static final ObjectKey KEY = ObjectKey.of("blobs/abc");
    private static final long SIZE = 2 * PartSettings.DEFAULT.partSize() + 1;
    private static final int RACERS = 4;

    private String place;
    private ObjectStore store;

    protected abstract S3Server server();

    @BeforeEach
    void open() {
        place = "s3://" + server().newBucket() + "/some/prefix";
        store = S3ObjectStore.open(place, server().environment());
    }

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void equalContentsYieldThatContent() throws Exception {
        List<Optional<String>> outcomes = race(_ -> PatternedContent.named(SIZE));

        assertThat(outcomes).anyMatch(Optional::isPresent);
        String etag = store.stat(KEY).orElseThrow().etag();
        assertThat(outcomes)
                .allMatch(outcome -> outcome.isEmpty() || outcome.get().equals(etag));
        assertThat(holds(PatternedContent.of(SIZE, 0))).isTrue();
        assertNothingLeft();
    }

    @Test
    void differentContentsYieldOneOfThemWhole() throws Exception {
        List<Optional<String>> outcomes = race(racer -> PatternedContent.of(SIZE, racer));

        assertThat(outcomes).filteredOn(Optional::isPresent).hasSize(1);
        List<Long> whole = new ArrayList<>();
        for (long racer : LongStream.range(0, RACERS).toArray()) {
            if (holds(PatternedContent.of(SIZE, racer))) {
                whole.add(racer);
            }
        }
        assertThat(whole).hasSize(1);
        assertThat(outcomes.get(whole.getFirst().intValue()))
                .contains(store.stat(KEY).orElseThrow().etag());
        assertNothingLeft();
    }

    @Test
    void whoeverIsOvertakenByAnotherContentHasLost() throws IOException {
        List<Optional<String>> others = new ArrayList<>();
        Content overtaken = PatternedContent.watched(
                PatternedContent.of(SIZE, 0),
                read -> {
                    if (read == SIZE) {
                        awaitAPart();
                        others.add(create(PatternedContent.of(SIZE, 1)));
                    }
                },
                1);

        assertThat(store.createOnce(KEY, overtaken)).isEmpty();

        assertThat(others).singleElement().isEqualTo(store.stat(KEY).map(ObjectInfo::etag));
        assertThat(holds(PatternedContent.of(SIZE, 1))).isTrue();
        assertNothingLeft();
    }

    /** Waits until an upload has a part that another writer could go on with, if there is an upload. */
    private void awaitAPart() {
        try (S3Bucket bucket = bucket()) {
            var multiparts = new MultipartUploads(bucket);
            multiparts.newestIncomplete(KEY).ifPresent(id -> {
                while (multiparts.parts(KEY, id).isEmpty()) {
                    Thread.onSpinWait();
                }
            });
        }
    }

    private Optional<String> create(Content content) {
        try {
            return store.createOnce(KEY, content);
        } catch (IOException impossible) {
            throw new AssertionError(impossible);
        }
    }

    private S3Bucket bucket() {
        return new S3Bucket(S3Location.parse(place), S3Settings.of(server().environment()));
    }

    private List<Optional<String>> race(LongFunction<Content> content) throws Exception {
        CyclicBarrier line = new CyclicBarrier(RACERS);
        List<Future<Optional<String>>> running = new ArrayList<>();
        List<Optional<String>> outcomes = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(RACERS)) {
            for (int i = 0; i < RACERS; i++) {
                long racer = i;
                running.add(threads.submit(() -> {
                    try (ObjectStore own = S3ObjectStore.open(place, server().environment())) {
                        line.await();
                        return own.createOnce(KEY, content.apply(racer));
                    }
                }));
            }
            for (Future<Optional<String>> one : running) {
                outcomes.add(one.get());
            }
        }
        return outcomes;
    }

    private boolean holds(Content expected) throws IOException {
        try (InputStream in = store.open(KEY, ByteRange.ALL).orElseThrow();
                InputStream wanted = expected.open()) {
            return Arrays.equals(in.readAllBytes(), wanted.readAllBytes());
        }
    }

    private void assertNothingLeft() {
        try (S3Bucket bucket = bucket()) {
            assertThat(new MultipartUploads(bucket).uploads("")).isEmpty();
        }
    }
}
