package io.knabla.functions.unit.cache;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.stream.Stream;

/**
 * Layout of a unit cache on disk, and deletion of its units.
 *
 * <pre>
 * units/&lt;hex&gt;/        units: hard links to blobs
 * units/.&lt;hex&gt;.tmp/   a unit that is being materialised
 * blobs/&lt;hex&gt;         blobs, verified
 * parts/&lt;hex&gt;         partial downloads, with notes of the ranges that are complete
 * locks/&lt;hex&gt;         lock files of units and blobs; never deleted
 * leases/&lt;hex&gt;        leases of units and the times of their last use; never deleted
 * </pre>
 *
 * @param path created on first use
 */
public record CacheFolder(Path path) {
    private static final String GONE = ".gone";

    public Path units() {
        return path.resolve("units");
    }

    public Path unit(String hex) {
        return units().resolve(hex);
    }

    /** Belongs to the process that holds the unit's lock; one that a killed process left must be deleted first. */
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

    /** Renames a unit's folder, which hides it at once, and then deletes it. */
    public void deleteUnit(String hex) throws IOException {
        Path gone = units().resolve("." + hex + GONE);
        delete(gone);
        Files.move(unit(hex), gone, StandardCopyOption.ATOMIC_MOVE);
        delete(gone);
    }

    /** Deletes a unit's folder under any of its names, if it exists. */
    public static void delete(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            return;
        }
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                Files.deleteIfExists(file);
            }
        } catch (NoSuchFileException another) {
            // Another process deletes the same folder.
        }
        Files.deleteIfExists(folder);
    }

    /** Whether the name is that of a folder left by an interrupted eviction. */
    static boolean isGone(String name) {
        return name.startsWith(".") && name.endsWith(GONE);
    }

    /** The digest of a unit that is being materialised, from its folder's name; null for any other folder. */
    static String halfUnitOf(String name) {
        return name.startsWith(".") && name.endsWith(".tmp")
                ? name.substring(1, name.length() - ".tmp".length())
                : null;
    }
}
