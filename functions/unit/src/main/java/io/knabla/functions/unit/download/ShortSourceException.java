package io.knabla.functions.unit.download;

/** Reports a source that has fewer bytes than expected: the data is incomplete, not temporarily unavailable. */
public final class ShortSourceException extends RuntimeException {
    ShortSourceException(RangeSource source, long at) {
        super("%s ends at byte %d of %d".formatted(source.name(), at, source.size()));
    }
}
