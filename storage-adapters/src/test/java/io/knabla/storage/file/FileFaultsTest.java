package io.knabla.storage.file;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.storage.StorageException;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests the message for each fault of the file system. */
class FileFaultsTest {
    static Stream<Arguments> faults() {
        return Stream.of(
                Arguments.of(new IOException("No space left on device"), "Free some space"),
                Arguments.of(said("Disk quota exceeded"), "Free some space"),
                Arguments.of(said("Read-only file system"), "mounted read-only. Remount it"),
                Arguments.of(said("Too many open files"), "ulimit -n"),
                Arguments.of(said("Not a directory"), "Move it away"),
                Arguments.of(new IOException("File too large"), "ulimit -f"),
                Arguments.of(new AccessDeniedException("/s/tmp"), "no right to /s/tmp. Give it"),
                Arguments.of(new NotDirectoryException("/s"), "/s is a file where"),
                Arguments.of(new NoSuchFileException("/s/tmp"), "/s/tmp went away"),
                Arguments.of(new ClosedByInterruptException(), "interrupted. Try again"),
                Arguments.of(new IOException("Input/output error"), "\"Input/output error\""));
    }

    private static FileSystemException said(String reason) {
        return new FileSystemException("/s/tmp/1", null, reason);
    }

    @ParameterizedTest
    @MethodSource("faults")
    void namesCausePathAndRemedy(IOException cause, String advice) {
        StorageException fault = FileFaults.cannot("write", "a/b", Path.of("/s"), cause);

        assertThat(fault)
                .hasMessageStartingWith("cannot write 'a/b' in the store /s: ")
                .hasMessageContaining(advice)
                .hasCause(cause);
    }
}
