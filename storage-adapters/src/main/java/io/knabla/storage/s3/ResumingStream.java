package io.knabla.storage.s3;

import io.knabla.storage.ByteRange;
import io.knabla.storage.StorageException;
import io.knabla.storage.s3.client.Backoff;
import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;
import java.util.function.Function;
import software.amazon.awssdk.core.ResponseInputStream;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;

/**
 * Reads a range of one object version; if the connection breaks, stalls or ends early, resumes at the same position of
 * the same version over a new connection.
 */
final class ResumingStream extends InputStream {
    /** Consecutive breaks with less than {@link #PROGRESS} bytes between them. */
    private static final int BREAKS = 8;

    /** Bytes after which the count of breaks starts again. */
    private static final long PROGRESS = 64 * 1024;

    /** Up to this many remaining bytes, draining is cheaper than a new connection for the next request. */
    private static final long WORTH_DRAINING = 64 * 1024;

    /** Requests a range of one version. */
    interface Source {
        ResponseInputStream<GetObjectResponse> open(ByteRange range, String etag);
    }

    private final Source source;
    private final Function<SdkException, StorageException> faults;
    private final String etag;
    private ResponseInputStream<GetObjectResponse> in;
    private long position;
    private long left;
    private int breaks;
    private long sinceBreak;
    private StorageException failure;

    ResumingStream(
            ResponseInputStream<GetObjectResponse> first,
            ByteRange range,
            Source source,
            Function<SdkException, StorageException> faults) {
        this.source = source;
        this.faults = faults;
        this.in = first;
        this.etag = first.response().eTag();
        this.position = range.offset();
        checkStart(first.response());
        this.left = Math.min(range.length(), first.response().contentLength());
    }

    /** A server without support for ranges returns the whole object. */
    private void checkStart(GetObjectResponse answer) {
        String range = answer.contentRange();
        boolean fromHere = range == null ? position == 0 : range.startsWith("bytes " + position + "-");
        if (!fromHere || answer.contentLength() == null) {
            in.abort();
            throw faults.apply(
                    SdkClientException.create("asked for the bytes from %d on, the server sent %s of %s bytes"
                            .formatted(position, range == null ? "the whole object" : range, answer.contentLength())));
        }
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, into.length);
        if (length == 0) {
            return 0;
        }
        if (failure != null) {
            // Returning -1 would look like the end of the object.
            throw new IOException(failure.getMessage(), failure);
        }
        while (left > 0) {
            try {
                int read = in.read(into, offset, (int) Math.min(length, left));
                if (read > 0) {
                    moved(read);
                    return read;
                }
                resume(new IOException("the body ended " + left + " bytes early"));
            } catch (IOException | SdkClientException broken) {
                resume(broken);
            }
        }
        return -1;
    }

    private void moved(int read) {
        position += read;
        left -= read;
        sinceBreak += read;
    }

    private void resume(Exception broken) throws IOException {
        in.abort();
        breaks = sinceBreak >= PROGRESS ? 1 : breaks + 1;
        sinceBreak = 0;
        if (breaks > BREAKS || Thread.currentThread().isInterrupted()) {
            throw failed(SdkClientException.create(broken.getMessage(), broken));
        }
        try {
            Backoff.sleep(breaks);
            in = source.open(new ByteRange(position, left), etag);
            checkStart(in.response());
        } catch (SdkException refused) {
            throw failed(refused);
        } catch (StorageException misplaced) {
            failure = misplaced;
            throw new IOException(misplaced.getMessage(), misplaced);
        }
    }

    /** Readers of a stream expect IOException; its cause, the StorageException, says what to do. */
    private IOException failed(SdkException fault) {
        failure = faults.apply(fault);
        return new IOException(failure.getMessage(), failure);
    }

    @Override
    public int available() throws IOException {
        return left == 0 ? 0 : (int) Math.min(in.available(), left);
    }

    @Override
    public void close() throws IOException {
        if (left > WORTH_DRAINING) {
            in.abort();
        }
        in.close();
        left = 0;
    }
}
