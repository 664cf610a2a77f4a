package io.knabla.functions.unit.cache;

import java.util.Optional;

/**
 * Maximum size of a machine's unit cache.
 *
 * @param bytes the maximum
 * @param reason explanation for error messages
 */
public record CacheBound(long bytes, String reason) {
    public static final String SETTING = "KNABLA_CACHE_BYTES";

    private static final long GIB = 1L << 30;

    /** Minimum of the default: on a small disk, one large model would fill a quarter of it. */
    private static final long FLOOR = 4 * GIB;

    private static final int SHARE = 4;

    /**
     * Current state of a file system.
     *
     * @param total bytes
     * @param free bytes that this process may still write
     * @param cached bytes used by the cache
     */
    public record Disk(long total, long free, long cached) {}

    /**
     * @param setting such as {@code 20GiB}; empty for the default
     * @throws IllegalArgumentException if the setting is not a size; the message says what to write
     */
    static CacheBound decide(Optional<String> setting, Disk disk) {
        var wanted = setting.isPresent()
                ? new CacheBound(parse(setting.get()), SETTING + " is " + setting.get())
                : new CacheBound(
                        Math.max(FLOOR, disk.total() / SHARE),
                        "a quarter of the disk or 4 GiB; " + SETTING + " is not set");
        long possible = disk.cached() + disk.free();
        return possible < wanted.bytes() ? new CacheBound(possible, "the disk has no more free space") : wanted;
    }

    /** {@code 20GiB}, {@code 500 MiB} or bytes alone. */
    static long parse(String text) {
        int end = 0;
        while (end < text.length() && Character.isDigit(text.charAt(end))) {
            end++;
        }
        try {
            long number = Long.parseLong(text.substring(0, end));
            long bytes = Math.multiplyExact(number, unit(text.substring(end).strip()));
            if (bytes > 0) {
                return bytes;
            }
        } catch (ArithmeticException | NumberFormatException none) {
            // Reported below.
        }
        throw new IllegalArgumentException(
                "%s is '%s'; write a number of bytes above 0, alone or with KiB, MiB, GiB or TiB, such as 20GiB"
                        .formatted(SETTING, text));
    }

    private static long unit(String name) {
        return switch (name) {
            case "", "B" -> 1;
            case "Ki", "KiB" -> 1L << 10;
            case "Mi", "MiB" -> 1L << 20;
            case "Gi", "GiB" -> GIB;
            case "Ti", "TiB" -> 1L << 40;
            default -> throw new NumberFormatException(name);
        };
    }
}
