package io.knabla.controller.cost.ledger;

import io.knabla.controller.cost.ledger.Manifest.ParquetFile;
import io.knabla.controller.cost.ledger.parquet.ParquetEngine;
import io.knabla.controller.cost.ledger.segment.LedgerDamage;
import io.knabla.storage.ByteRange;
import io.knabla.storage.Content;
import io.knabla.storage.ObjectKey;
import io.knabla.storage.ObjectStore;
import io.knabla.storage.StorageException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** Moves Parquet files between the store and a local folder; what arrives is what was uploaded, or is reported. */
final class ParquetFiles {
    private final ObjectStore store;
    private final Map<ObjectKey, Verified> known = new ConcurrentHashMap<>();

    private record Verified(String sha256, FileTime modified, long bytes) {}

    ParquetFiles(ObjectStore store) {
        this.store = store;
    }

    /**
     * Puts the file at {@code target} without copying it if the store has it on this machine, and else downloads it.
     * Its digest is computed once, and again when the file has changed since.
     *
     * @return what is wrong with the file
     */
    Optional<LedgerDamage> place(ParquetFile file, Path target) throws IOException {
        Files.deleteIfExists(target);
        Optional<Path> local = store.localPath(file.key());
        if (local.isEmpty() || !isLinked(target, local.get())) {
            return download(file, target);
        }
        BasicFileAttributes state = Files.readAttributes(target, BasicFileAttributes.class);
        Verified verified = new Verified(file.sha256(), state.lastModifiedTime(), state.size());
        if (verified.equals(known.get(file.key()))) {
            return Optional.empty();
        }
        String sha256;
        try (InputStream in = Files.newInputStream(target)) {
            sha256 = copy(in, OutputStream.nullOutputStream());
        }
        Optional<LedgerDamage> damage = damage(file, sha256);
        if (damage.isEmpty()) {
            known.put(file.key(), verified);
        }
        return damage;
    }

    /** A link keeps the file while it is read, even if the store deletes it. */
    private static boolean isLinked(Path link, Path file) {
        try {
            Files.createLink(link, file);
            return true;
        } catch (IOException | UnsupportedOperationException otherFileSystem) {
            return false;
        }
    }

    /** Returns what is wrong with the file; if nothing is, {@code target} has its bytes. */
    Optional<LedgerDamage> download(ParquetFile file, Path target) throws IOException {
        String key = file.key().path();
        Optional<InputStream> content;
        try {
            content = store.open(file.key(), ByteRange.ALL);
        } catch (StorageException failed) {
            if (failed.isOfOneObject()) {
                return Optional.of(new LedgerDamage(key, LedgerDamage.Type.CORRUPT, failed.getMessage()));
            }
            throw failed;
        }
        if (content.isEmpty()) {
            return Optional.of(new LedgerDamage(
                    key, LedgerDamage.Type.MISSING, "its manifest says that it has %d rows".formatted(file.rows())));
        }
        String sha256;
        try (InputStream in = content.get();
                OutputStream out = Files.newOutputStream(target)) {
            sha256 = copy(in, out);
        }
        return damage(file, sha256);
    }

    private static Optional<LedgerDamage> damage(ParquetFile file, String sha256) {
        return sha256.equals(file.sha256())
                ? Optional.empty()
                : Optional.of(new LedgerDamage(
                        file.key().path(),
                        LedgerDamage.Type.CORRUPT,
                        "its bytes have the SHA-256 %s, its manifest says %s and %d rows"
                                .formatted(sha256, file.sha256(), file.rows())));
    }

    private static String copy(InputStream in, OutputStream out) throws IOException {
        DigestInputStream digested = new DigestInputStream(in, sha256());
        digested.transferTo(out);
        return HexFormat.of().formatHex(digested.getMessageDigest().digest());
    }

    /** Returns whether the file and its sums are there. */
    boolean exists(ParquetFile file) {
        return file.all().allMatch(one -> store.stat(one.key()).isPresent());
    }

    /**
     * Uploads a file.
     *
     * @param key never used before
     */
    ParquetFile upload(ObjectKey key, Path file, ParquetEngine.Merged merged) throws IOException {
        Content content = Content.of(file);
        String sha256;
        try (InputStream in = content.open()) {
            sha256 = copy(in, OutputStream.nullOutputStream());
        }
        if (store.createOnce(key, content).isEmpty()) {
            throw new IllegalStateException(
                    "the name of the new Parquet file %s is taken; names must never be used twice".formatted(key));
        }
        return new ParquetFile(key, content.size(), sha256, merged.rows(), merged.lastEnd(), Optional.empty());
    }

    static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java has SHA-256", impossible);
        }
    }
}
