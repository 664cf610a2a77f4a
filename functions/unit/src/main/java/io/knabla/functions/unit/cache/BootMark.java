package io.knabla.functions.unit.cache;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * Records in a lock file that something was verified since the last boot, as the kernel's boot id. Bytes that a process
 * wrote survive its death and are lost only if the machine crashes. So no write waits for the disk: a file with the
 * mark of an earlier boot is verified against its digest before it is used.
 */
final class BootMark {
    /** proc(5): a random UUID, new with every boot. */
    private static final Path BOOT = Path.of("/proc/sys/kernel/random/boot_id");

    private static final int LENGTH = 36;

    private static byte[] boot;

    private final FileChannel file;

    BootMark(FileChannel file) {
        this.file = file;
    }

    boolean isCurrent() throws IOException {
        byte[] wanted = boot();
        ByteBuffer found = ByteBuffer.allocate(LENGTH);
        file.read(found, 0);
        return found.position() == wanted.length
                && Arrays.equals(found.array(), 0, wanted.length, wanted, 0, wanted.length);
    }

    /** Also updates the file's modification time, which records its last use. */
    void write() throws IOException {
        file.write(ByteBuffer.wrap(boot()), 0);
    }

    private static synchronized byte[] boot() {
        if (boot == null) {
            try {
                boot = Arrays.copyOf(Files.readAllBytes(BOOT), LENGTH);
            } catch (IOException notLinux) {
                // Without a boot id, a file that was verified once stays verified.
                boot = "-".repeat(LENGTH).getBytes(StandardCharsets.US_ASCII);
            }
        }
        return boot;
    }
}
