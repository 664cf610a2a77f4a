package io.knabla.storage.s3.parts;

import io.knabla.storage.Content;
import io.knabla.storage.WrongSizeException;
import io.knabla.storage.s3.client.Digests;
import io.knabla.storage.s3.client.S3Bucket;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.model.CompletedPart;
import software.amazon.awssdk.services.s3.model.Part;

/** Sends a content in parts: the calling thread fills buffers, one virtual thread sends each part. */
final class PartSender {
    private final S3Bucket bucket;
    private final PendingUpload upload;
    private final PartPlan plan;
    private final int buffers;
    private final BlockingQueue<byte[]> free = new LinkedBlockingQueue<>();
    private int made;

    PartSender(S3Bucket bucket, PendingUpload upload, PartPlan plan, int buffers) {
        this.bucket = bucket;
        this.upload = upload;
        this.plan = plan;
        this.buffers = buffers;
    }

    /** Returns the parts for the completion request. */
    List<CompletedPart> send(Content content) throws IOException, InterruptedException {
        try (InputStream in = content.open()) {
            return PartTasks.runAll(buffers, tasks -> start(in, tasks));
        }
    }

    private void start(InputStream in, PartTasks<CompletedPart> tasks) throws IOException, InterruptedException {
        for (int n = 1; n <= plan.parts(); n++) {
            int number = n;
            byte[] buffer = buffer();
            tasks.check();
            fill(buffer, number, in);
            tasks.start(() -> send(number, buffer));
        }
        if (in.read() >= 0) {
            throw new WrongSizeException(upload.key(), plan.size(), "more");
        }
    }

    private byte[] buffer() throws InterruptedException {
        if (free.isEmpty() && made < buffers) {
            made++;
            return new byte[Math.toIntExact(Math.min(plan.partSize(), plan.size()))];
        }
        return free.take();
    }

    private void fill(byte[] buffer, int number, InputStream in) throws IOException {
        int length = (int) plan.length(number);
        int read = in.readNBytes(buffer, 0, length);
        if (read < length) {
            throw new WrongSizeException(upload.key(), plan.size(), Long.toString(plan.offset(number) + read));
        }
    }

    private CompletedPart send(int number, byte[] buffer) {
        try {
            int length = (int) plan.length(number);
            String crc = Digests.crc32(buffer, length);
            Part there = upload.parts().get(number);
            String etag = there != null && Digests.isMd5(there.eTag(), buffer, length)
                    ? there.eTag()
                    : send(number, buffer, length, crc);
            return CompletedPart.builder()
                    .partNumber(number)
                    .eTag(etag)
                    .checksumCRC32(crc)
                    .build();
        } finally {
            free.add(buffer);
        }
    }

    private String send(int number, byte[] buffer, int length, String crc) {
        return bucket.client()
                .uploadPart(
                        part -> part.bucket(bucket.name())
                                .key(bucket.name(upload.key()))
                                .uploadId(upload.id())
                                .partNumber(number)
                                .checksumCRC32(crc)
                                .overrideConfiguration(
                                        bucket.settings().timeouts().forUpload(length)),
                        // Not fromBytes: it would copy the buffer, and memory is bounded.
                        RequestBody.fromContentProvider(
                                () -> new ByteArrayInputStream(buffer, 0, length), length, "application/octet-stream"))
                .eTag();
    }
}
