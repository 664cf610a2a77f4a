package io.knabla.controller.cli.images;

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
 * A folder that is filled once per content. What is trained in it sees files as they will be in the image: the AOT
 * cache compares the size and the time of each jar.
 */
final class Staging {
    /** What Jib gives every file; not 0, which some tools take for none. */
    static final Instant TIME = Instant.ofEpochSecond(1);

    private final Path folder;
    private final MessageDigest content = sha256();

    /** @param folder wholly ours */
    Staging(Path folder) {
        this.folder = folder;
    }

    /** What makes another content: the words of a recipe, or the bytes of files. */
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

    /** Makes the tree. */
    interface Filling {
        void fill(Path tree) throws IOException;
    }

    /**
     * The tree for this content: made now, or left from before. Its path names the content, as Jib takes files of the
     * same path and time, which ours all have, for the same files.
     */
    Path tree(Filling filling) throws IOException {
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

    /** Copies a file into a folder, which is made. */
    static Path copy(Path file, Path into) throws IOException {
        Files.createDirectories(into);
        return Files.copy(file, into.resolve(file.getFileName().toString()));
    }

    /** Gives all that is in the tree the time that it will have in the image. */
    static void settle(Path tree) throws IOException {
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
