package io.knabla.storage.s3.parts;

import io.knabla.storage.Content;
import io.knabla.storage.ObjectKey;
import io.knabla.storage.WrongSizeException;
import io.knabla.storage.s3.client.Digests;
import io.knabla.storage.s3.client.S3Bucket;
import io.knabla.storage.s3.client.WriteCondition;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.zip.CRC32;
import software.amazon.awssdk.core.sync.RequestBody;

/**
 * Writes an object of up to 5 GiB by one streamed request with one small buffer. Reads the content twice: a content
 * that fails does so before anything is sent, and one that changes in between fails the checksum at the server.
 */
public final class StreamedPut {
    private static final int BUFFER = 1 << 16;

    private final S3Bucket bucket;

    public StreamedPut(S3Bucket bucket) {
        this.bucket = bucket;
    }

    /** Returns the new etag. */
    public String put(ObjectKey key, Content content, WriteCondition condition, Map<String, String> metadata)
            throws IOException {
        String crc = checksum(key, content);
        return bucket.client()
                .putObject(
                        put -> {
                            put.bucket(bucket.name()).key(bucket.name(key));
                            put.metadata(metadata).checksumCRC32(crc);
                            condition.apply(put);
                            bucket.settings().encryption().apply(put);
                            put.overrideConfiguration(
                                    bucket.settings().timeouts().forUpload(content.size()));
                        },
                        RequestBody.fromContentProvider(
                                () -> open(content), content.size(), "application/octet-stream"))
                .eTag();
    }

    private static InputStream open(Content content) {
        try {
            return content.open();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private static String checksum(ObjectKey key, Content content) throws IOException {
        CRC32 crc = new CRC32();
        long size = 0;
        try (InputStream in = content.open()) {
            byte[] buffer = new byte[BUFFER];
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                crc.update(buffer, 0, n);
                size += n;
                if (size > content.size()) {
                    throw new WrongSizeException(key, content.size(), "more");
                }
            }
        }
        if (size < content.size()) {
            throw new WrongSizeException(key, content.size(), Long.toString(size));
        }
        return Digests.header(crc);
    }
}
