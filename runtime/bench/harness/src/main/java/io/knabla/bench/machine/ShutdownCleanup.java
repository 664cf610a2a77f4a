package io.knabla.bench.machine;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Shutdown hook that kills child processes and deletes temporary folders, unless this process dies by {@code kill -9}.
 */
final class ShutdownCleanup {
    private static final Set<Process> PROCESSES = ConcurrentHashMap.newKeySet();
    private static final Set<Path> FOLDERS = ConcurrentHashMap.newKeySet();

    static {
        Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().unstarted(ShutdownCleanup::clear));
    }

    private ShutdownCleanup() {}

    static void add(Process process) {
        PROCESSES.add(process);
    }

    static void add(Path folder) {
        FOLDERS.add(folder);
    }

    static void remove(Process process) {
        PROCESSES.remove(process);
    }

    static void remove(Path folder) {
        FOLDERS.remove(folder);
    }

    /** Kills a process before its descendants, which it might replace, such as nginx its workers. */
    static void kill(Process process) {
        List<ProcessHandle> descendants = process.descendants().toList();
        process.destroyForcibly();
        descendants.forEach(ProcessHandle::destroyForcibly);
    }

    private static void clear() {
        PROCESSES.forEach(ShutdownCleanup::kill);
        PROCESSES.forEach(process -> process.onExit().join());
        FOLDERS.forEach(Folders::delete);
    }
}
