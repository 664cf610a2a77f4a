package io.knabla.functions.unit.download;

/** Hears how far a download is, from many threads and a few thousand times a gigabyte; be quick. */
@FunctionalInterface
public interface DownloadListener {
    DownloadListener NONE = (_, _) -> {};

    /**
     * @param done bytes that are on this machine, those of an earlier attempt included; never fewer than {@code total}
     *     after the last call
     * @param total bytes of all files of this download
     */
    void progressed(long done, long total);
}
