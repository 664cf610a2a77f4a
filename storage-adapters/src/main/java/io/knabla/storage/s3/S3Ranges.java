package io.knabla.storage.s3;

import io.knabla.storage.ByteRange;

/**
 * Formats a byte range as the value of an HTTP Range header, and defines how many ranges to read concurrently. See <a
 * href="https://www.rfc-editor.org/rfc/rfc9110#section-14.1.2">RFC 9110, 14.1.2</a>.
 */
final class S3Ranges {
    /** Four saturate two cores from a nearby server (see the package); a distant one needs more. */
    static final int AT_ONCE = 6;

    private S3Ranges() {}

    /** Returns null for the whole object; an empty range cannot be expressed. */
    static String header(ByteRange range) {
        if (range.isAll()) {
            return null;
        }
        // A length beyond the last possible byte means "to the end", which HTTP expresses by no end.
        boolean toTheEnd = range.length() - 1 > Long.MAX_VALUE - range.offset();
        return "bytes=" + range.offset() + "-" + (toTheEnd ? "" : Long.toString(range.offset() + range.length() - 1));
    }
}
