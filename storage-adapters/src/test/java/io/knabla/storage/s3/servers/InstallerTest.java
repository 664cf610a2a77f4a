package io.knabla.storage.s3.servers;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the installer with scripts instead of python3 and go, which may be absent. */
class InstallerTest {
    private static final Program MODULE = new Program.GoModule("Tool 1.2", "host/tool", "1.2");
    private static final Program WHEEL = new Program.PyPi("Lib 3", "lib", "[all]", "3");

    @TempDir
    Path folder;

    private Path commands;
    private final ByteArrayOutputStream said = new ByteArrayOutputStream();

    @BeforeEach
    void commands() throws IOException {
        commands = Files.createDirectory(folder.resolve("bin"));
    }

    @Test
    void installsOnceAndSaysWhatAndWhere() throws IOException {
        command("go", "/bin/mkdir -p $GOBIN; echo program >$GOBIN/tool");

        InstallResult first = installer().install(MODULE);
        InstallResult again = installer().install(MODULE);

        Path where = folder.resolve("cache/tool-1.2");
        assertThat(first).isEqualTo(new InstallResult.At(where)).isEqualTo(again);
        assertThat(where.resolve("tool")).hasContent("program");
        assertThat(said.toString())
                .containsOnlyOnce("installing Tool 1.2 into " + where)
                .contains("go install host/tool@v1.2");
    }

    @Test
    void reinstallsAfterAnInterruption() throws IOException {
        Files.createDirectories(folder.resolve("cache/tool-1.2/half"));
        command("go", "/bin/mkdir -p $GOBIN");

        installer().install(MODULE);

        assertThat(folder.resolve("cache/tool-1.2/half")).doesNotExist();
    }

    @Test
    void namesMissingCommands() {
        assertThat(installer().install(MODULE))
                .isEqualTo(new InstallResult.Impossible("Tool 1.2 cannot be installed: go was not found"));
        assertThat(installer().install(WHEEL))
                .isEqualTo(new InstallResult.Impossible("Lib 3 cannot be installed: python3 was not found"));
    }

    @Test
    void reportsTheLastLineOfAFailedInstallation() throws IOException {
        command("python3", "echo no route to host; test \"$3\" != install");

        assertThat(installer().install(WHEEL))
                .isInstanceOfSatisfying(
                        InstallResult.Impossible.class,
                        it -> assertThat(it.why())
                                .contains("Lib 3 cannot be installed")
                                .contains("lib[all]==3")
                                .contains("no route to host"));
    }

    @Test
    void takesPipFromAVirtualEnvironment() throws IOException {
        command(
                "python3",
                "test \"$2\" != pip || exit 1; test \"$2\" = venv || exit 0;"
                        + " /bin/mkdir -p $3/bin; printf '#!/bin/sh\\n/bin/mkdir -p \"$8\"\\n' >$3/bin/python;"
                        + " /bin/chmod +x $3/bin/python");

        assertThat(installer().install(WHEEL)).isEqualTo(new InstallResult.At(folder.resolve("cache/lib-3")));
    }

    @Test
    void theCacheIsTheTestsOwnFolder() {
        Path home = Path.of("/home/user");
        assertThat(Installer.cache(Map.of(), home)).isEqualTo(Path.of("/home/user/.cache/knabla/s3-servers"));
        assertThat(Installer.cache(Map.of("XDG_CACHE_HOME", "/x"), home)).isEqualTo(Path.of("/x/knabla/s3-servers"));
        assertThat(Installer.cache(Map.of("KNABLA_TEST_CACHE", "/k"), home)).isEqualTo(Path.of("/k"));
    }

    private void command(String name, String script) throws IOException {
        Path file = Files.writeString(commands.resolve(name), "#!/bin/sh\n" + script + "\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private Installer installer() {
        return new Installer(folder.resolve("cache"), Map.of("PATH", commands.toString()), new PrintStream(said));
    }
}
