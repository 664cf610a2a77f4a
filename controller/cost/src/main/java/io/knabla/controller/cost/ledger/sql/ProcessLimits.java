package io.knabla.controller.cost.ledger.sql;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Limits of Linux for this process, which it cannot raise again; nothing elsewhere. The process sets them itself, since
 * a container image has neither a shell nor {@code prlimit}. Source: setrlimit(2), whose numbers hold on x86-64 and
 * aarch64.
 */
final class ProcessLimits {
    private static final int CPU_SECONDS = 0;
    private static final int FILE_BYTES = 1;
    private static final int CORE_BYTES = 4;
    private static final int ADDRESS_SPACE_BYTES = 9;
    private static final Path STATUS = Path.of("/proc/self/status");
    private static final Pattern KIBIBYTES = Pattern.compile("VmSize:\\s+(\\d+) kB");

    private ProcessLimits() {}

    /**
     * @param bytes of address space that it may take beyond what it has; more fails there
     * @param cpuSeconds at which it is killed, even if nobody waits for it any more
     * @param fileBytes most of a file that it writes
     */
    static void set(long bytes, long cpuSeconds, long fileBytes) throws IOException {
        if (!Files.exists(STATUS)) {
            return;
        }
        MethodHandle call = setrlimit();
        set(call, CORE_BYTES, 0);
        set(call, FILE_BYTES, fileBytes);
        set(call, CPU_SECONDS, cpuSeconds);
        set(call, ADDRESS_SPACE_BYTES, Math.addExact(addressSpace(), bytes));
    }

    @SuppressWarnings("restricted")
    private static MethodHandle setrlimit() {
        Linker linker = Linker.nativeLinker();
        return linker.downcallHandle(
                linker.defaultLookup().findOrThrow("setrlimit"),
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.ADDRESS));
    }

    private static void set(MethodHandle call, int resource, long most) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment softAndHard = arena.allocateFrom(ValueLayout.JAVA_LONG, most, most);
            if ((int) call.invokeExact(resource, softAndHard) != 0) {
                throw new IOException("setrlimit refused %d for resource %d".formatted(most, resource));
            }
        } catch (IOException | RuntimeException | Error failed) {
            throw failed;
        } catch (Throwable impossible) {
            throw new IllegalStateException("a native call threw", impossible);
        }
    }

    private static long addressSpace() throws IOException {
        Matcher size = KIBIBYTES.matcher(Files.readString(STATUS));
        if (!size.find()) {
            throw new IOException(STATUS + " names no VmSize");
        }
        return Long.parseLong(size.group(1)) << 10;
    }
}
