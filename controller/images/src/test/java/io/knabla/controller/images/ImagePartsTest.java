package io.knabla.controller.images;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.cloud.tools.jib.api.ImageReference;
import io.knabla.controller.cli.CliFailure;
import io.knabla.controller.cli.print.Console;
import io.knabla.controller.cli.print.Progress;
import io.knabla.controller.cli.verbs.images.ImageBuild.BuiltImage;
import io.knabla.controller.cli.verbs.images.ImageBuild.GpuParts;
import io.knabla.controller.cli.verbs.images.ImageBuild.Options;
import io.knabla.controller.images.Image.Layer;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.ConnectException;
import java.net.URISyntaxException;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ImagePartsTest {
    private static final Path JDK = Path.of(System.getProperty("java.home"));

    @TempDir
    Path temp;

    @Test
    void writesPushedImagesToKustomization() throws IOException {
        Files.createDirectories(temp.resolve("k8s/images"));
        var pushed = made("replica", Optional.of("127.0.0.1:5000/knabla/replica@sha256:abc"));

        Kustomization.write(temp, List.of(pushed, made("s3", Optional.empty())));

        assertThat(temp.resolve("k8s/images/kustomization.yaml"))
                .content()
                .contains("kind: Component", "configurations:\n  - fields.yaml")
                .contains("nodeSelector/kubernetes.io~1arch")
                .contains("""
                        images:
                          - name: knabla/replica
                            newName: 127.0.0.1:5000/knabla/replica
                            digest: sha256:abc
                        """);
    }

    /** Without pushed images the text equals the committed file, except for names and tags. */
    @Test
    void kustomizationEqualsCommittedFileExceptImages() throws IOException {
        String committed = Files.readString(Path.of("../../k8s/images/kustomization.yaml"));
        String head = Kustomization.text(List.of());

        assertThat(committed).startsWith(head);
    }

    @ParameterizedTest
    @ValueSource(strings = {"Mac OS X", "Windows 11"})
    void rejectsOtherOperatingSystems(String system) {
        assertThatThrownBy(() -> Jvm.requireLinux(system))
                .isInstanceOf(CliFailure.class)
                .hasMessageContainingAll(system, "on Linux");
    }

    private static BuiltImage made(String name, Optional<String> reference) {
        return new BuiltImage(name, "abc", "sha256:abc", Path.of(name + ".tar"), reference, List.of());
    }

    @Test
    void findsModulesNamedByClasses() throws IOException, URISyntaxException {
        Path assertj = Path.of(org.assertj.core.api.Assertions.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());

        assertThat(UsedModules.by(List.of())).containsExactly("java.base");
        assertThat(UsedModules.by(List.of(assertj))).contains("java.base", "java.xml");
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void copiesLinkedLibrariesOfHost() throws IOException {
        var jvm = new Layer("jvm", JDK, List.of(Path.of("bin/java"), Path.of("lib/server/libjvm.so")));

        Layer host = HostLibraries.layer(List.of(jvm), temp.resolve("host"));

        assertThat(host.at()).isEqualTo("/");
        try (var files = Files.walk(host.tree())) {
            List<String> names = files.filter(Files::isRegularFile)
                    .map(file -> file.getFileName().toString())
                    .toList();
            assertThat(names)
                    .contains("libc.so.6", "passwd")
                    .anyMatch(name -> name.startsWith("ld-linux"))
                    .doesNotContain("libjvm.so", "libjli.so");
        }
    }

    @Test
    void reportsOutputOfFailedTool() {
        assertThatThrownBy(
                        () -> ProcessRunner.run(List.of(JDK.resolve("bin/java").toString(), "-zz")))
                .isInstanceOf(CliFailure.class)
                .hasMessageContaining("java failed with exit code 1")
                .hasMessageContaining("Unrecognized option: -zz");
    }

    @Test
    void rejectsJre() {
        assertThatThrownBy(() -> new Jvm(temp).link(java.util.Set.of("java.base"), temp))
                .isInstanceOf(CliFailure.class)
                .hasMessageContaining("no jlink in " + temp)
                .hasMessageContaining("Set JAVA_HOME to a whole JDK");
    }

    @Test
    void reportsUnreachableRegistryWithFix() throws Exception {
        var base = new BaseImage.Named(ImageReference.parse("gcr.io/x/base:1"));
        var failed = new ExecutionException(new UnknownHostException("gcr.io"));

        CliFailure told = JibFailures.toFailure(failed, base, Optional.empty());

        assertThat(told)
                .hasMessageContaining("a registry cannot be reached (gcr.io)")
                .hasMessageContaining("the base image gcr.io/x/base:1")
                .hasMessageContaining("--base host");
        assertThat(JibFailures.isUnreachable(told)).isTrue();
        assertThat(JibFailures.isUnreachable(new IOException(new ConnectException())))
                .isTrue();
        assertThat(JibFailures.isUnreachable(new IOException("disk full"))).isFalse();
    }

    @Test
    void onlyArchivesFallBackToHostLibraries() {
        var away = new IOException(new UnknownHostException("gcr.io"));
        Optional<String> none = Optional.empty();
        var archives = new Options(none, none, none, false, Optional.empty());

        assertThat(ImageBuilder.mayFallBackToHost(archives, away)).isTrue();
        assertThat(ImageBuilder.mayFallBackToHost(archives, new IOException("disk full")))
                .isFalse();
        assertThat(ImageBuilder.mayFallBackToHost(
                        new Options(none, Optional.of("a/b"), none, false, Optional.empty()), away))
                .isFalse();
        assertThat(ImageBuilder.mayFallBackToHost(
                        new Options(Optional.of("c/d"), none, none, false, Optional.empty()), away))
                .isFalse();
    }

    @Test
    void rejectsInvalidRepository() {
        assertThatThrownBy(() -> make(Optional.of("https://registry/KNABLA"), Optional.empty()))
                .isInstanceOf(CliFailure.class)
                .hasMessageContaining("'https://registry/KNABLA/replica' (from --push)")
                .hasMessageContaining("no scheme");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a b", "-1", "v1:2", "v1@sha256:abc", ""})
    void rejectsInvalidTag(String tag) {
        assertThatThrownBy(() -> make(Optional.of("registry/knabla"), Optional.of(tag)))
                .isInstanceOf(CliFailure.class)
                .hasMessageContaining("'%s' (from --tag) is no tag; write 1 to 128", tag);
    }

    @Test
    void missesWheelsBeforeItMakesAnImage() {
        var gpu = Optional.of(new GpuParts("host", temp.resolve("no-wheels")));
        assertThatThrownBy(() -> make(new Options(Optional.of("host"), Optional.empty(), Optional.empty(), false, gpu)))
                .isInstanceOf(CliFailure.class)
                .hasMessageContaining("ONNX Runtime's CUDA provider 1.29.0 is not in");
        assertThat(temp).isEmptyDirectory();
    }

    private void make(Optional<String> push, Optional<String> tag) {
        make(new Options(Optional.of("host"), push, tag, false, Optional.empty()));
    }

    private void make(Options wish) {
        var nowhere = new PrintStream(OutputStream.nullOutputStream());
        var quiet = new Progress(Console.plain(nowhere, nowhere), true);
        new ImageBuilder(temp, "1", wish, quiet, _ -> {}).build();
    }

    @Test
    void reportsMissingBuildOutputBeforeAnythingIsStaged() throws IOException {
        for (String file : List.of(
                "controller/target/quarkus-app/quarkus-run.jar",
                "runtime/target/replica/replica.jar",
                "runtime/target/replica/s3.jar",
                "runtime/target/replica/native/engine",
                "runtime/target/assemble.args")) {
            Path built = temp.resolve(file);
            Files.createDirectories(built.getParent());
            Files.createFile(built);
        }

        assertThatThrownBy(() -> make(Optional.empty(), Optional.empty()))
                .isInstanceOf(CliFailure.class)
                .hasMessageContaining(temp.resolve("storage-adapters/s3-server/target/lib") + " is missing");
        assertThat(temp.resolve("target/images/controller")).doesNotExist();
    }
}
