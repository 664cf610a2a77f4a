package io.knabla.storage.file;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.storage.StorageException;
import io.knabla.storage.StorageException.Kind;
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
                Arguments.of(new IOException("No space left on device"), "Free some space", Kind.DISK_FULL),
                Arguments.of(said("Disk quota exceeded"), "Free some space", Kind.DISK_FULL),
                Arguments.of(said("Read-only file system"), "mounted read-only. Remount it", Kind.UNAVAILABLE),
                Arguments.of(said("Too many open files"), "ulimit -n", Kind.UNAVAILABLE),
                Arguments.of(said("Not a directory"), "Move it away", Kind.UNAVAILABLE),
                Arguments.of(new IOException("File too large"), "ulimit -f", Kind.UNAVAILABLE),
                Arguments.of(new AccessDeniedException("/s/tmp"), "no right to /s/tmp. Give it", Kind.ACCESS_DENIED),
                Arguments.of(new NotDirectoryException("/s"), "/s is a file where", Kind.UNAVAILABLE),
                Arguments.of(new NoSuchFileException("/s/tmp"), "/s/tmp went away", Kind.UNAVAILABLE),
                Arguments.of(new ClosedByInterruptException(), "interrupted. Try again", Kind.UNAVAILABLE),
                Arguments.of(new IOException("Input/output error"), "\"Input/output error\"", Kind.UNAVAILABLE));
    }

    private static FileSystemException said(String reason) {
        return new FileSystemException("/s/tmp/1", null, reason);
    }

    @ParameterizedTest
    @MethodSource("faults")
    void namesCausePathAndRemedy(IOException cause, String advice, Kind kind) {
        StorageException fault = FileFaults.cannot("write", "a/b", Path.of("/s"), cause);

        assertThat(fault)
                .hasMessageStartingWith("cannot write 'a/b' in the store /s: ")
                .hasMessageContaining(advice)
                .hasCause(cause);
        assertThat(fault.kind()).isEqualTo(kind);
        assertThat(fault.problem() + " " + fault.cure()).isEqualTo(fault.getMessage());
    }
}
