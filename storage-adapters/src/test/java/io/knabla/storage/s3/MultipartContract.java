package io.knabla.storage.s3;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.knabla.storage.ByteRange;
import io.knabla.storage.Content;
import io.knabla.storage.Contents;
import io.knabla.storage.ObjectInfo;
import io.knabla.storage.ObjectKey;
import io.knabla.storage.ObjectStore;
import io.knabla.storage.WrongSizeException;
import io.knabla.storage.s3.client.Condition;
import io.knabla.storage.s3.client.Digests;
import io.knabla.storage.s3.client.S3Bucket;
import io.knabla.storage.s3.client.S3Settings;
import io.knabla.storage.s3.faults.S3Location;
import io.knabla.storage.s3.parts.MultipartWriter;
import io.knabla.storage.s3.parts.Multiparts;
import io.knabla.storage.s3.parts.PartPlan;
import io.knabla.storage.s3.parts.PartSettings;
import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.model.ChecksumAlgorithm;
import software.amazon.awssdk.services.s3.model.S3Exception;

/** What uploads in parts promise on every server. */
public abstract class MultipartContract {
    private static final ObjectKey KEY = ObjectKey.of("blobs/abc");
    private static final long PART = PartPlan.MIN_PART;
    private static final Condition ALWAYS = new Condition.Always();
    private static final Condition ABSENT = new Condition.Absent();
    private static final Map<String, String> MINE = Map.of("knabla-test", "mine");

    private S3Bucket bucket;
    private ObjectStore store;
    private Multiparts multiparts;
    private MultipartWriter writer;

    protected abstract S3Server server();

    @BeforeEach
    void open() {
        String place = "s3://" + server().newBucket() + "/some/prefix";
        store = S3ObjectStore.open(place, server().environment());
        bucket = new S3Bucket(S3Location.parse(place), S3Settings.of(server().environment()));
        multiparts = new Multiparts(bucket);
        writer = new MultipartWriter(bucket, new PartSettings(PART, 3));
    }

    @AfterEach
    void close() {
        store.close();
        bucket.close();
    }

    @Test
    void writesWhatTheContentGivesWhereverItsPartsEnd() throws IOException {
        for (long size : new long[] {1, PART - 1, PART, PART + 1, 4 * PART, 7 * PART + 1}) {
            String etag = writer.put(KEY, Patterned.of(size, 0), ALWAYS, MINE);

            ObjectInfo info = store.stat(KEY).orElseThrow();
            assertThat(info.etag()).isEqualTo(etag);
            assertThat(info.size()).isEqualTo(size);
            assertHolds(Patterned.of(size, 0));
        }
        assertThat(multiparts.head(KEY).orElseThrow().metadata()).isEqualTo(MINE);
        assertNothingLeft();
    }

    @Test
    void aContentOfAnotherSizeLeavesNothing() throws IOException {
        byte[] bytes = new byte[(int) (2 * PART)];
        for (long announced : new long[] {PART, 2 * PART - 1, 2 * PART + 1, 5 * PART}) {
            assertThatThrownBy(() -> writer.put(KEY, Contents.announcing(announced, bytes), ABSENT, MINE))
                    .isInstanceOf(WrongSizeException.class)
                    .hasMessageContaining(announced < bytes.length ? "more" : "" + bytes.length);
        }
        assertThat(store.stat(KEY)).isEmpty();
        assertNothingLeft();
    }

    @Test
    void aContentThatFailsIsToldAsItIsAndLeavesNothing() {
        IOException failure = new IOException("the client went away");
        Content broken = Contents.failingAfter((int) (2 * PART + 1), failure);

        assertThatThrownBy(() -> writer.put(KEY, broken, ALWAYS, MINE)).isSameAs(failure);

        assertThat(store.stat(KEY)).isEmpty();
        assertNothingLeft();
    }

    @Test
    void anObjectThatIsThereIsNotWrittenOver() throws IOException {
        store.write(KEY, Content.of("there".getBytes(UTF_8)));

        S3Exception refused =
                catchThrowableOfType(S3Exception.class, () -> writer.put(KEY, Patterned.of(2 * PART, 0), ABSENT, MINE));

        assertThat(refused.statusCode()).isEqualTo(412);
        assertThat(store.read(KEY).orElseThrow().bytes()).asString(UTF_8).isEqualTo("there");
        assertNothingLeft();
    }

    @Test
    void replacesTheVersionThatWasReadOnly() throws IOException {
        String first = writer.put(KEY, Patterned.of(2 * PART, 1), ALWAYS, MINE);
        String second = writer.put(KEY, Patterned.of(2 * PART, 2), new Condition.Matches(first), MINE);

        S3Exception refused = catchThrowableOfType(
                S3Exception.class,
                () -> writer.put(KEY, Patterned.of(2 * PART, 3), new Condition.Matches(first), MINE));
        assertThat(refused.statusCode()).isEqualTo(412);
        assertThat(store.stat(KEY).orElseThrow().etag()).isEqualTo(second);
        assertHolds(Patterned.of(2 * PART, 2));
        assertThatThrownBy(
                        () -> writer.put(KEY, Contents.announcing(7, new byte[8]), new Condition.Matches(second), MINE))
                .isInstanceOf(WrongSizeException.class);
        assertHolds(Patterned.of(2 * PART, 2));
    }

    @Test
    void takesUpWhatIsThereAndTrustsOnlyEqualBytes() throws IOException {
        Content content = Patterned.of(3 * PART, 0);
        Map<String, String> dead = Map.of("knabla-test", "of the client that died");
        String id = multiparts.create(KEY, create -> create.metadata(dead).checksumAlgorithm(ChecksumAlgorithm.CRC32));
        part(id, 1, content);
        part(id, 3, Patterned.of(3 * PART, 9));

        writer.put(KEY, content, ABSENT, MINE);

        assertHolds(content);
        assertThat(multiparts.head(KEY).orElseThrow().metadata()).isEqualTo(dead);
        assertNothingLeft();
    }

    @Test
    void anUploadThatWasCutOtherwiseIsLeftToWhoCutIt() throws IOException {
        String id = multiparts.create(KEY, _ -> {});
        bucket.client()
                .uploadPart(
                        part -> part.bucket(bucket.name())
                                .key(bucket.name(KEY))
                                .uploadId(id)
                                .partNumber(1),
                        RequestBody.fromString("another's"));

        writer.put(KEY, Patterned.of(2 * PART, 0), ABSENT, MINE);

        assertHolds(Patterned.of(2 * PART, 0));
        assertThat(multiparts.head(KEY).orElseThrow().metadata()).isEqualTo(MINE);
        assertThat(multiparts.unfinished(KEY)).contains(id);
    }

    @Test
    void beginsAnewWhenAnotherGivesTheSharedUploadUp() throws IOException {
        Content content = Patterned.of(4 * PART, 0);
        Content swept = Patterned.watched(
                content,
                read -> {
                    if (read < PART) {
                        multiparts.unfinished(KEY).ifPresent(id -> multiparts.abort(KEY, id));
                    }
                },
                1);

        writer.put(KEY, swept, ABSENT, MINE);

        assertHolds(content);
        assertNothingLeft();
    }

    @Test
    void endsRightWhenAnotherCompletesTheSharedUpload() throws IOException {
        Content content = Patterned.of(3 * PART, 0);
        Content overtaken = Patterned.watched(
                content,
                read -> {
                    if (read == 3 * PART) {
                        awaitAPart();
                        otherClient(content);
                    }
                },
                1);

        String etag = writer.put(KEY, overtaken, ABSENT, MINE);

        assertThat(store.stat(KEY).orElseThrow().etag()).isEqualTo(etag);
        assertHolds(content);
        assertNothingLeft();
    }

    @Test
    void theSweepFreesWhatNobodyTouchesAndNothingElse() {
        String old = multiparts.create(KEY, _ -> {});
        part(old, 1, Patterned.of(PART, 0));
        String elsewhere = bucket.client()
                .createMultipartUpload(create -> create.bucket(bucket.name()).key("another/place"))
                .uploadId();

        assertThat(store.abandonUploads(Instant.now().minusSeconds(60))).isZero();
        assertThat(multiparts.unfinished(KEY)).contains(old);
        assertThat(store.abandonUploads(Instant.now().plusSeconds(60))).isEqualTo(1);

        assertNothingLeft();
        assertThat(bucket.client()
                        .listMultipartUploads(list -> list.bucket(bucket.name()))
                        .uploads())
                .extracting(upload -> upload.uploadId())
                .containsExactly(elsewhere);
    }

    private void awaitAPart() {
        String id = multiparts.unfinished(KEY).orElseThrow();
        while (multiparts.parts(KEY, id).isEmpty()) {
            Thread.onSpinWait();
        }
    }

    private void otherClient(Content content) {
        try {
            new MultipartWriter(bucket, new PartSettings(PART, 2)).put(KEY, content, ABSENT, Map.of());
        } catch (IOException impossible) {
            throw new AssertionError(impossible);
        }
    }

    private void part(String id, int number, Content content) {
        try (InputStream in = content.open()) {
            in.skipNBytes((number - 1) * PART);
            byte[] bytes = in.readNBytes((int) PART);
            bucket.client()
                    .uploadPart(
                            part -> part.bucket(bucket.name())
                                    .key(bucket.name(KEY))
                                    .uploadId(id)
                                    .partNumber(number)
                                    .checksumCRC32(Digests.crc32(bytes, bytes.length)),
                            RequestBody.fromBytes(bytes));
        } catch (IOException impossible) {
            throw new AssertionError(impossible);
        }
    }

    private void assertHolds(Content expected) throws IOException {
        try (InputStream in = store.open(KEY, ByteRange.ALL).orElseThrow();
                InputStream wanted = expected.open()) {
            assertThat(in.readAllBytes()).isEqualTo(wanted.readAllBytes());
        }
    }

    private void assertNothingLeft() {
        assertThat(multiparts.uploads("")).isEmpty();
    }
}
