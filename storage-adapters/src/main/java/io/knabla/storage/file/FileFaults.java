package io.knabla.storage.file;

import io.knabla.storage.Advice;
import io.knabla.storage.StorageException;
import io.knabla.storage.StorageException.Kind;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.Locale;

/** Converts an error of the file system to a StorageException with cause, place and remedy. */
final class FileFaults {
    private FileFaults() {}

    static StorageException cannot(String action, Object what, Path root, IOException cause) {
        return advice(cause).failed("cannot %s '%s' in the store %s: ".formatted(action, what, root), cause);
    }

    private static Advice advice(IOException cause) {
        if (StorageException.isDiskFull(cause)) {
            return new Advice(
                    Kind.DISK_FULL,
                    "the disk is full.",
                    "Free some space, or set KNABLA_STORE to a folder on another disk.");
        }
        String said = String.valueOf(cause.getMessage()).toLowerCase(Locale.ROOT);
        if (said.contains("file too large")) {
            return Advice.unavailable(
                    "the file is larger than this process or file system may write.",
                    "Raise the limit (ulimit -f), or set KNABLA_STORE to a folder on another disk.");
        }
        if (said.contains("read-only file system")) {
            return Advice.unavailable(
                    "its file system is mounted read-only.",
                    "Remount it, or set KNABLA_STORE to a folder that can be written.");
        }
        if (said.contains("too many open files")) {
            return Advice.unavailable("this process has too many files open.", "Raise the limit (ulimit -n).");
        }
        return byType(cause, said);
    }

    /** The system names no file when it reads a folder. */
    static StorageException folderInPlaceOfObject(String action, Object what, Path root, Path folder) {
        return new Advice(
                        Kind.BAD_OBJECT,
                        "%s is a folder where the store keeps an object.".formatted(folder),
                        "Move it away, and restore the object from a backup.")
                .failed("cannot %s '%s' in the store %s: ".formatted(action, what, root), null);
    }

    private static Advice byType(IOException cause, String said) {
        return switch (cause) {
            case AccessDeniedException denied ->
                new Advice(
                        isUnreadableFile(denied) ? Kind.BAD_OBJECT : Kind.ACCESS_DENIED,
                        "this user has no right to %s.".formatted(denied.getFile()),
                        "Give it (chown or chmod), or set KNABLA_STORE to a folder of its own.");
            case NotDirectoryException file ->
                Advice.unavailable(
                        "%s is a file where the store needs a folder.".formatted(file.getFile()), "Move it away.");
            case FileSystemException file
            when said.contains("not a directory") ->
                Advice.unavailable(
                        "on the way to %s a file stands where the store needs a folder.".formatted(file.getFile()),
                        "Move it away.");
            case NoSuchFileException gone ->
                Advice.unavailable(
                        "%s went away while the store was open.".formatted(gone.getFile()),
                        "Start again; if it was deleted by hand, restore it.");
            case ClosedByInterruptException interrupted -> Advice.unavailable("it was interrupted.", "Try again.");
            default ->
                Advice.unavailable(
                        "the file system answered \"%s\".".formatted(cause.getMessage()),
                        "Check the disk, then try again.");
        };
    }

    /** Other objects of the store may be readable all the same. */
    private static boolean isUnreadableFile(AccessDeniedException denied) {
        Path file = Path.of(denied.getFile());
        return Files.isRegularFile(file) && !Files.isReadable(file);
    }
}
