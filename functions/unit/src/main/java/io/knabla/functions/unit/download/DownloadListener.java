package io.knabla.functions.unit.download;

/** Receives the progress of a download, from many threads and a few thousand times per gigabyte; must be fast. */
@FunctionalInterface
public interface DownloadListener {
    DownloadListener NONE = (_, _) -> {};

    /**
     * @param done bytes on this machine, including those of an earlier attempt; reaches {@code total} with the last
     *     call
     * @param total bytes of all files of this download
     */
    void progressed(long done, long total);
}
