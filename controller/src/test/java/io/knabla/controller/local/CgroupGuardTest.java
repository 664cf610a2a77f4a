package io.knabla.controller.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.local.MemoryGuard.Hold;
import io.knabla.controller.machine.MemoryLimit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests what is written to a cgroup tree; plain files stand in for the kernel's. */
class CgroupGuardTest {
    private static final MemoryLimit LIMIT = MemoryLimit.ofReplica(Optional.of(128L << 20), 0);
    private static final long SELF = 7;
    private static final long LAUNCHER = 6;
    private static final Hold WATCHED = () -> OptionalLong.of(1);

    @TempDir
    Path temp;

    private Path membership;
    private Path mount;
    private Path scope;

    @BeforeEach
    void delegatedScope() throws IOException {
        mount = temp.resolve("cgroup");
        scope = Files.createDirectories(mount.resolve("user/knabla.scope"));
        membership = Files.writeString(temp.resolve("self"), "0::/user/knabla.scope\n");
        kernelFiles(scope);
        Files.writeString(scope.resolve("cgroup.controllers"), "cpu memory pids\n");
        Files.writeString(scope.resolve("cgroup.procs"), "6\n7\n");
        kernelFiles(Files.createDirectories(scope.resolve("knabla-controller")));
    }

    private static void kernelFiles(Path cgroup) throws IOException {
        Files.writeString(cgroup.resolve("cgroup.procs"), "");
        Files.writeString(cgroup.resolve("cgroup.subtree_control"), "");
    }

    private Optional<CgroupGuard> open() {
        return CgroupGuard.open(membership, mount, Set.of(SELF, LAUNCHER), (_, _, _) -> WATCHED);
    }

    @Test
    void movesItselfIntoALeafAndEnablesTheController() throws IOException {
        assertThat(open()).isPresent();

        assertThat(scope.resolve("cgroup.subtree_control")).hasContent("+memory");
        assertThat(scope.resolve("knabla-controller/cgroup.procs")).hasContent("7");
    }

    @Test
    void usesTheSameSubtreeAfterARestart() throws IOException {
        Files.writeString(membership, "0::/user/knabla.scope/knabla-controller\n");
        Files.writeString(scope.resolve("cgroup.procs"), "");
        Path left = Files.createDirectory(scope.resolve("knabla-process-5"));

        assertThat(open()).isPresent();
        assertThat(left).doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "4:memory:/x\n0::/user/knabla.scope\n",
                "4:cpu,memory:/\n0::/user/knabla.scope\n",
                "",
                "0::/gone\n"
            })
    void leavesOtherHierarchiesAlone(String text) throws IOException {
        Files.writeString(membership, text);

        assertThat(open()).isEmpty();
    }

    @Test
    void movesNobodyElse() throws IOException {
        Files.writeString(scope.resolve("cgroup.procs"), "6\n7\n4711\n");

        assertThat(open()).isEmpty();
        assertThat(scope.resolve("cgroup.subtree_control")).isEmptyFile();
    }

    @Test
    void needsTheController() throws IOException {
        Files.writeString(scope.resolve("cgroup.controllers"), "cpu\n");

        assertThat(open()).isEmpty();
    }

    @Test
    void givesAProcessItsLimitAndTellsOfItsKill() throws IOException {
        CgroupGuard guard = open().orElseThrow();
        long pid = ProcessHandle.current().pid();
        // The kernel makes these files with the folder.
        Path leaf = Files.createDirectories(scope.resolve("knabla-process-" + pid));
        kernelFiles(leaf);
        for (String name : List.of("memory.max", "memory.swap.max")) {
            Files.writeString(leaf.resolve(name), "");
        }
        Files.writeString(leaf.resolve("memory.events"), "max 3\noom 0\noom_kill 0\n");

        try (Hold hold = guard.hold(ProcessHandle.current(), LIMIT, Duration.ofSeconds(1))) {
            assertThat(leaf.resolve("memory.max")).hasContent(Long.toString(128L << 20));
            assertThat(leaf.resolve("memory.swap.max")).hasContent("0");
            assertThat(leaf.resolve("cgroup.procs")).hasContent(Long.toString(pid));
            assertThat(hold.exceeded()).isEmpty();
            Files.writeString(leaf.resolve("memory.events"), "max 9\noom 1\noom_kill 1\n");
            assertThat(hold.exceeded()).hasValue(128L << 20);
        }
    }

    @Test
    void fallsBackToTheOtherGuardWhenTheLeafHasNoMemoryController() {
        ProcessHandle process = ProcessHandle.current();

        Hold hold = open().orElseThrow().hold(process, LIMIT, Duration.ofSeconds(1));

        assertThat(hold).isSameAs(WATCHED);
        assertThat(scope.resolve("knabla-process-" + process.pid())).doesNotExist();
    }
}
