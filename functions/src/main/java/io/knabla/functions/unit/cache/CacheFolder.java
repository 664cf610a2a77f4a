package io.knabla.functions.unit.cache;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.stream.Stream;

/**
 * What lies where in a cache, and how it goes away.
 *
 * <pre>
 * units/&lt;hex&gt;/        units, of links to blobs
 * units/.&lt;hex&gt;.tmp/   a unit that is being made
 * blobs/&lt;hex&gt;         blobs, checked
 * parts/&lt;hex&gt;         blobs that are being fetched, beside them notes
 * locks/&lt;hex&gt;         who is at work on a unit or a blob; stays
 * leases/&lt;hex&gt;        who uses a unit, and when it was last used; stays
 * </pre>
 *
 * @param path made when first written to
 */
public record CacheFolder(Path path) {
    private static final String GONE = ".gone";

    public Path units() {
        return path.resolve("units");
    }

    public Path unit(String hex) {
        return units().resolve(hex);
    }

    /** Of the process that holds the unit's lock; what a dead one left is in the way. */
    public Path halfUnit(String hex) {
        return units().resolve("." + hex + ".tmp");
    }

    public Path blobs() {
        return path.resolve("blobs");
    }

    public Path blob(String hex) {
        return blobs().resolve(hex);
    }

    public Path parts() {
        return path.resolve("parts");
    }

    public Path part(String hex) {
        return parts().resolve(hex);
    }

    public Path lock(String hex) {
        return path.resolve("locks").resolve(hex);
    }

    public Path lease(String hex) {
        return path.resolve("leases").resolve(hex);
    }

    public void create() throws IOException {
        Files.createDirectories(units());
        Files.createDirectories(blobs());
        Files.createDirectories(parts());
        Files.createDirectories(path.resolve("locks"));
        Files.createDirectories(path.resolve("leases"));
    }

    /** Takes a unit out of sight at once, and then away. */
    public void deleteUnit(String hex) throws IOException {
        Path gone = units().resolve("." + hex + GONE);
        delete(gone);
        Files.move(unit(hex), gone, StandardCopyOption.ATOMIC_MOVE);
        delete(gone);
    }

    /** A unit's folder by any of its names; nothing where there is none. */
    public static void delete(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            return;
        }
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                Files.deleteIfExists(file);
            }
        } catch (NoSuchFileException another) {
            // Two clear away what a third left.
        }
        Files.deleteIfExists(folder);
    }

    /** Whether this is what an eviction left that was killed half-way. */
    static boolean isGone(String name) {
        return name.startsWith(".") && name.endsWith(GONE);
    }

    /** The digest of a unit that is being made, from its folder's name; null for another folder. */
    static String halfUnitOf(String name) {
        return name.startsWith(".") && name.endsWith(".tmp")
                ? name.substring(1, name.length() - ".tmp".length())
                : null;
    }
}
