package io.knabla.controller.images;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.knabla.controller.cli.CliFailure;
import io.knabla.controller.cli.verbs.images.ImageBuild.BuiltImage;
import io.knabla.controller.cli.verbs.images.ImageBuild.Wheel;
import io.knabla.controller.images.Image.Layer;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.zip.GZIPInputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the image of replicas on GPUs takes from the wheels that pip installed. */
class GpuImageTest {
    private static final String CUDA = "nvidia/cu13/lib/";

    @TempDir
    Path temp;

    private Path home;

    @BeforeEach
    void install() throws IOException {
        home = temp.resolve("cuda");
        wheel(
                "onnxruntime-gpu",
                "1.29.0",
                "License: MIT License",
                "onnxruntime/capi/libonnxruntime.so.1.29.0",
                "onnxruntime/capi/libonnxruntime_providers_shared.so",
                "onnxruntime/capi/libonnxruntime_providers_cuda.so",
                "onnxruntime/capi/libonnxruntime_providers_tensorrt.so",
                "onnxruntime/capi/_pybind_state.py",
                "onnxruntime/LICENSE");
        wheel(
                "nvidia-cublas",
                "13.1.0",
                "License-Expression: LicenseRef-NVIDIA",
                CUDA + "libcublas.so.13",
                CUDA + "libcublasLt.so.13",
                CUDA + "libcudart.so.13",
                CUDA + "libcurand.so.10",
                "nvidia/cu13/include/cublas.h",
                "nvidia_cublas.dist-info/licenses/License.txt");
        wheel("nvidia-cudnn-cu13", "9.13", "", "nvidia/cudnn/lib/libcudnn.so.9", "nvidia/cudnn/lib/libcudnn_ops.so.9");
        wheel("numpy", "2.4", "License: BSD", "numpy/core.so");
    }

    private void wheel(String name, String version, String licence, String... files) throws IOException {
        var record = new ArrayList<String>();
        for (String file : files) {
            Files.createDirectories(home.resolve(file).getParent());
            Files.writeString(home.resolve(file), name);
            record.add(file + ",sha256=x," + name.length());
        }
        record.add("../../bin/tool,,");
        Path about = Files.createDirectories(home.resolve(name.replace('-', '_') + ".dist-info"));
        Files.write(about.resolve("RECORD"), record);
        Files.writeString(
                about.resolve("METADATA"),
                "Metadata-Version: 2.4\nName: %s\nVersion: %s\n%s\n\nLicense: of the text\n"
                        .formatted(name, version, licence));
    }

    private Image replica() throws IOException {
        Path tree = Files.createDirectories(temp.resolve("tree"));
        Files.writeString(tree.resolve("replica.jar"), "program");
        return new Image(
                "replica",
                "A replica",
                List.of(new Layer("program", tree, List.of(Path.of("replica.jar")))),
                List.of("/knabla/run"),
                List.of("serve"),
                Map.of("A", "b"),
                8080);
    }

    private String archive(Image image) throws IOException {
        var jib = new JibAdapter(new BaseImage.Host(), Map.of(), temp.resolve("jib"), false, _ -> {});
        return jib.archive(image, temp.resolve(image.name() + ".tar"), _ -> {});
    }

    @Test
    void hasTheReplicaAndTheLibrariesWhereAReplicaLooksForThem() throws IOException {
        archive(replica().onGpu(CudaWheels.of(home).layers()));

        assertThat(files(temp.resolve("replica-gpu.tar")))
                .containsExactlyInAnyOrder(
                        "knabla/replica.jar",
                        "knabla/cuda/onnxruntime/capi/libonnxruntime.so.1.29.0",
                        "knabla/cuda/onnxruntime/capi/libonnxruntime_providers_shared.so",
                        "knabla/cuda/onnxruntime/capi/libonnxruntime_providers_cuda.so",
                        "knabla/cuda/onnxruntime/LICENSE",
                        "knabla/cuda/nvidia/cu13/lib/libcublas.so.13",
                        "knabla/cuda/nvidia/cu13/lib/libcublasLt.so.13",
                        "knabla/cuda/nvidia/cu13/lib/libcudart.so.13",
                        "knabla/cuda/nvidia/cu13/lib/libcurand.so.10",
                        "knabla/cuda/nvidia_cublas.dist-info/licenses/License.txt",
                        "knabla/cuda/nvidia/cudnn/lib/libcudnn.so.9",
                        "knabla/cuda/nvidia/cudnn/lib/libcudnn_ops.so.9");
    }

    @Test
    void tellsTheReplicaWhereTheyAreAndAsksForTheDriver() throws IOException {
        Image image = replica().onGpu(CudaWheels.of(home).layers());

        assertThat(image.environment())
                .containsEntry("A", "b")
                .containsEntry("KNABLA_CUDA_HOME", "/knabla/cuda")
                .containsEntry("NVIDIA_DRIVER_CAPABILITIES", "compute,utility");
        assertThat(image.entrypoint()).isEqualTo(replica().entrypoint());
    }

    @Test
    void leavesTheImageForCpusAsItIs() throws IOException {
        String alone = archive(replica());

        String onGpu = archive(replica().onGpu(CudaWheels.of(home).layers()));

        assertThat(archive(replica())).isEqualTo(alone).isNotEqualTo(onGpu);
    }

    @Test
    void tellsSizesAndLicences() throws IOException {
        assertThat(CudaWheels.of(home).contents())
                .containsExactly(
                        new Wheel("nvidia-cublas", "13.1.0", 5 * "nvidia-cublas".length(), "LicenseRef-NVIDIA"),
                        new Wheel(
                                "nvidia-cudnn-cu13", "9.13", 2 * "nvidia-cudnn-cu13".length(), "see its licence files"),
                        new Wheel("onnxruntime-gpu", "1.29.0", 4 * "onnxruntime-gpu".length(), "MIT License"));
    }

    @Test
    void providerThatIsMissingIsToldWithTheCommand() {
        assertThatThrownBy(() -> CudaWheels.of(temp.resolve("nowhere")))
                .isInstanceOf(CliFailure.class)
                .hasMessageContainingAll(
                        "1.29.0 is not in " + temp.resolve("nowhere"),
                        "KNABLA_CUDA_HOME",
                        "python3 -m pip install --target " + temp.resolve("nowhere"));
    }

    @Test
    void providerOfAnotherVersionIsRefused() throws IOException {
        wheel("onnxruntime-gpu", "1.30.0", "License: MIT License", "onnxruntime/capi/libonnxruntime_providers_cuda.so");

        assertThatThrownBy(() -> CudaWheels.of(home)).hasMessageContaining("1.29.0 is not in " + home);
    }

    @Test
    void onlyABaseMayHaveWhatNoWheelHas() throws IOException {
        assertThat(CudaWheels.of(home).missing()).isEmpty();
        Files.delete(home.resolve(CUDA + "libcurand.so.10"));
        CudaWheels wheels = CudaWheels.of(home);

        assertThat(wheels.missing()).containsExactly("libcurand.so.10");
        assertThatThrownBy(wheels::requireAll)
                .hasMessageContainingAll("libcurand.so.10 of NVIDIA", "--gpu-base host", "pip install");
    }

    @Test
    void overlaysTellTheControllerItsName() throws IOException {
        Files.createDirectories(temp.resolve("k8s/images"));
        var pushed = new BuiltImage(
                "replica-gpu",
                "abc",
                "sha256:abc",
                temp.resolve("replica-gpu.tar"),
                Optional.of("registry/replica-gpu@sha256:abc"),
                CudaWheels.of(home).contents());

        Kustomization.write(temp, List.of(pushed));

        assertThat(temp.resolve("k8s/images/kustomization.yaml"))
                .content()
                .doesNotContain("knabla/replica-gpu")
                .endsWith("""
                          - target: {kind: Deployment, name: knabla-controller}
                            patch: |-
                              - op: add
                                path: /spec/template/spec/containers/0/env/-
                                value: {name: KNABLA_CLUSTER_GPU_IMAGE, value: "registry/replica-gpu@sha256:abc"}
                        """);
    }

    /** Files of all layers. */
    private static Set<String> files(Path archive) throws IOException {
        Set<String> files = new TreeSet<>();
        try (InputStream in = Files.newInputStream(archive);
                var tar = new TarArchiveInputStream(in)) {
            for (var entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
                byte[] bytes = tar.readAllBytes();
                if (bytes.length > 2 && bytes[0] == 0x1f && (bytes[1] & 0xff) == 0x8b) {
                    addFiles(bytes, files);
                }
            }
        }
        return files;
    }

    private static void addFiles(byte[] layer, Set<String> files) throws IOException {
        try (var tar = new TarArchiveInputStream(new GZIPInputStream(new java.io.ByteArrayInputStream(layer)))) {
            for (var entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
                if (entry.isFile()) {
                    files.add(entry.getName());
                }
            }
        }
    }
}
