package io.knabla.functions.unit.download;

/** A source has fewer bytes than it should: not an outage, the bytes are not there. */
public final class ShortSourceException extends RuntimeException {
    ShortSourceException(RangeSource source, long at) {
        super("%s ends at byte %d of %d".formatted(source.name(), at, source.size()));
    }
}
