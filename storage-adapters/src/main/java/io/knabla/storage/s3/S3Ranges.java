package io.knabla.storage.s3;

import io.knabla.storage.ByteRange;

/**
 * Ranges of one object: how many at once, and how HTTP writes them, <a
 * href="https://www.rfc-editor.org/rfc/rfc9110#section-14.1.2">RFC 9110, 14.1.2</a>.
 */
final class S3Ranges {
    /** Four fill two cores from a server nearby (see the package); one far away needs more. */
    static final int AT_ONCE = 6;

    private S3Ranges() {}

    /** Null for the whole object; a range of no bytes has no form. */
    static String header(ByteRange range) {
        if (range.equals(ByteRange.ALL)) {
            return null;
        }
        // A length beyond the last possible byte means "to the end", which HTTP writes as nothing.
        boolean toTheEnd = range.length() - 1 > Long.MAX_VALUE - range.offset();
        return "bytes=" + range.offset() + "-" + (toTheEnd ? "" : Long.toString(range.offset() + range.length() - 1));
    }
}
