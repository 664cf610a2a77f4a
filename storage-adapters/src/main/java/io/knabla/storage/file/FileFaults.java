package io.knabla.storage.file;

import io.knabla.storage.StorageException;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.Locale;

/** Turns an error of the file system into a StorageException that says what failed, where, and what to do. */
final class FileFaults {
    private FileFaults() {}

    static StorageException cannot(String action, Object what, Path root, IOException cause) {
        return new StorageException(
                "cannot %s '%s' in the store %s: %s".formatted(action, what, root, advice(cause)), cause);
    }

    private static String advice(IOException cause) {
        String said = String.valueOf(cause.getMessage()).toLowerCase(Locale.ROOT);
        if (said.contains("no space left") || said.contains("quota exceeded")) {
            return "the disk is full. Free some space, or set KNABLA_STORE to a folder on another disk.";
        }
        if (said.contains("file too large")) {
            return "the file is larger than this process or file system may write. Raise the limit"
                    + " (ulimit -f), or set KNABLA_STORE to a folder on another disk.";
        }
        if (said.contains("read-only file system")) {
            return "its file system is mounted read-only. Remount it, or set KNABLA_STORE to a folder"
                    + " that can be written.";
        }
        if (said.contains("too many open files")) {
            return "this process has too many files open. Raise the limit (ulimit -n).";
        }
        return byType(cause, said);
    }

    private static String byType(IOException cause, String said) {
        return switch (cause) {
            case AccessDeniedException denied ->
                "this user has no right to %s. Give it (chown or chmod), or set KNABLA_STORE to a folder of its own."
                        .formatted(denied.getFile());
            case NotDirectoryException file ->
                "%s is a file where the store needs a folder. Move it away.".formatted(file.getFile());
            case FileSystemException file
            when said.contains("not a directory") ->
                "on the way to %s a file stands where the store needs a folder. Move it away."
                        .formatted(file.getFile());
            case NoSuchFileException gone ->
                "%s went away while the store was open. Start again; if it was deleted by hand, restore it."
                        .formatted(gone.getFile());
            case ClosedByInterruptException interrupted -> "it was interrupted. Try again.";
            default -> "the file system answered \"%s\". Check the disk, then try again.".formatted(cause.getMessage());
        };
    }
}
