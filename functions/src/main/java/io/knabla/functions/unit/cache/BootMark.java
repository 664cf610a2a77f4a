package io.knabla.functions.unit.cache;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * Whether something was checked since the machine started, written into its lock file as the kernel's boot id. What a
 * process wrote another reads as long as the machine runs, also when the writer was killed; only a crash of the machine
 * can lose it. So nothing here waits for a disk: what bears the mark of another start is checked against its digest
 * before it is used.
 */
final class BootMark {
    /** proc(5): a random UUID, new with every start of the kernel. */
    private static final Path BOOT = Path.of("/proc/sys/kernel/random/boot_id");

    private static final int LENGTH = 36;

    private static byte[] boot;

    private final FileChannel file;

    BootMark(FileChannel file) {
        this.file = file;
    }

    boolean fresh() throws IOException {
        byte[] wanted = boot();
        ByteBuffer found = ByteBuffer.allocate(LENGTH);
        file.read(found, 0);
        return found.position() == wanted.length
                && Arrays.equals(found.array(), 0, wanted.length, wanted, 0, wanted.length);
    }

    /** Also changes the file's time, which says when it was last of use. */
    void refresh() throws IOException {
        file.write(ByteBuffer.wrap(boot()), 0);
    }

    private static synchronized byte[] boot() {
        if (boot == null) {
            try {
                boot = Arrays.copyOf(Files.readAllBytes(BOOT), LENGTH);
            } catch (IOException notLinux) {
                // Then what was checked once counts for ever.
                boot = "-".repeat(LENGTH).getBytes(StandardCharsets.US_ASCII);
            }
        }
        return boot;
    }
}
