package io.knabla.controller.images;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;

/**
 * Staging folder of an image, filled once per input. Files already have the timestamps of the image, because an AOT
 * cache compares the size and the time of each jar.
 */
final class Staging {
    /** Timestamp that Jib gives every file; not 0, which some tools read as missing. */
    static final Instant TIME = Instant.ofEpochSecond(1);

    private final Path folder;
    private final MessageDigest content = sha256();

    /** @param folder for this only: old content is deleted */
    Staging(Path folder) {
        this.folder = folder;
    }

    /** Adds input that determines the content: words here, files below. */
    Staging dependsOn(String... words) {
        for (String word : words) {
            content.update((word + '\n').getBytes(StandardCharsets.UTF_8));
        }
        return this;
    }

    Staging dependsOn(List<Path> files) throws IOException {
        for (Path file : files) {
            dependsOn(file.getFileName().toString());
            try (InputStream in = new DigestInputStream(Files.newInputStream(file), content)) {
                in.transferTo(java.io.OutputStream.nullOutputStream());
            }
        }
        return this;
    }

    /** Fills an empty tree. */
    interface TreeFiller {
        void fill(Path tree) throws IOException;
    }

    /**
     * Returns the tree for this input, filled now or by an earlier run. Its path contains a digest of the input,
     * because Jib takes files with the same path and time for the same files, and all of ours have the same time.
     */
    Path tree(TreeFiller filling) throws IOException {
        String key = HexFormat.of().formatHex(content.digest(), 0, 16);
        Path tree = folder.resolve(key);
        Path mark = folder.resolve(key + ".complete");
        if (!Files.exists(mark)) {
            delete(folder);
            Files.createDirectories(tree);
            filling.fill(tree);
            Files.createFile(mark);
        }
        return tree;
    }

    /** Copies a file into a folder, which is created if missing. */
    static Path copy(Path file, Path into) throws IOException {
        Files.createDirectories(into);
        return Files.copy(file, into.resolve(file.getFileName().toString()));
    }

    /** Sets the timestamp of all files in the tree to the one they have in the image. */
    static void setTimestamps(Path tree) throws IOException {
        try (Stream<Path> files = Files.walk(tree)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.setLastModifiedTime(file, FileTime.from(TIME));
            }
        }
    }

    static void delete(Path folder) throws IOException {
        if (Files.exists(folder)) {
            try (Stream<Path> files = Files.walk(folder)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        }
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
