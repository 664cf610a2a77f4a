package io.knabla.functions.unit.download;

import io.knabla.storage.ByteRange;
import java.io.IOException;
import java.io.InputStream;

/** Bytes of known number that never change and can be read at several places at once. */
public interface RangeSource {
    /** Bytes. */
    long size();

    /** What it is, for messages: {@code 'blobs/…' in s3://…}. */
    String name();

    /** Closing is the caller's. A stream that ends before its range does is read on with another. */
    InputStream open(ByteRange range) throws IOException;
}
