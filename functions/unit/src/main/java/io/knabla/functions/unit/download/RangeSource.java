package io.knabla.functions.unit.download;

import io.knabla.storage.ByteRange;
import java.io.IOException;
import java.io.InputStream;

/** Immutable bytes of known size that several threads can read by ranges. */
public interface RangeSource {
    /** Size in bytes. */
    long size();

    /** Name for messages: {@code 'blobs/…' in s3://…}. */
    String name();

    /** Opens a stream that the caller closes. If it ends before its range, the caller opens another for the rest. */
    InputStream open(ByteRange range) throws IOException;
}
