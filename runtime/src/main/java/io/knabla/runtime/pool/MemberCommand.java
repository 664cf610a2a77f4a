package io.knabla.runtime.pool;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Command line of a pool's members.
 *
 * @param java the program with its options, without a folder for temporary files
 * @param temp folder of the folders for temporary files
 */
record MemberCommand(List<String> java, Path temp) {
    /** What a process needs to find libraries and use the right locale; nothing that opens the store. */
    static final Set<String> INHERITED = Set.of("PATH", "LANG", "LC_ALL", "TZ", "LD_LIBRARY_PATH");

    static final Map<String, String> OWN = Map.of("ORT_DISABLE_TELEMETRY", "1", "MALLOC_ARENA_MAX", "1");

    /** As this process was started, with another heap. */
    static MemberCommand ofThisProcess(int heapMebibytes, Path temp, Path arguments) {
        String program = ProcessHandle.current().info().command().orElse("java");
        return new MemberCommand(
                List.of(
                        program,
                        "-Xmx" + heapMebibytes + "m",
                        // What keeps a waiting process small, as on a laptop.
                        "-XX:+UnlockDiagnosticVMOptions",
                        "-XX:ArchiveRelocationMode=0",
                        "-XX:TrimNativeHeapInterval=10000",
                        "@" + arguments),
                temp);
    }

    List<String> line(Path folder) {
        List<String> line = new ArrayList<>(java);
        line.add(1, "-Djava.io.tmpdir=" + folder);
        line.add("pooled");
        return line;
    }
}
