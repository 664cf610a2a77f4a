package io.knabla.controller.cli.verbs.images;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.cli.verbs.images.ImageBuild.BuiltImage;
import io.knabla.controller.cli.verbs.images.ImageBuild.Wheel;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ImagesCommandTest {
    private static final Wheel CUDNN = new Wheel("nvidia-cudnn-cu13", "9.13", (517L << 20) - 1, "NVIDIA Proprietary");

    private static BuiltImage image(String name, List<Wheel> wheels) {
        return new BuiltImage(
                name, "1", "sha256:a", Path.of("a.tar"), Optional.of("registry/" + name + "@sha256:a"), wheels);
    }

    @Test
    void wheelsAreLookedForWhereReplicasLook() {
        assertThat(ImagesCommand.wheels(Map.of("KNABLA_CUDA_HOME", "/opt/cuda")))
                .isEqualTo(Path.of("/opt/cuda"));
        assertThat(ImagesCommand.wheels(Map.of("XDG_CACHE_HOME", "/var/cache", "HOME", "/home/a")))
                .isEqualTo(Path.of("/var/cache/knabla/cuda"));
        assertThat(ImagesCommand.wheels(Map.of("HOME", "/home/a"))).isEqualTo(Path.of("/home/a/.cache/knabla/cuda"));
    }

    @Test
    void theImageForGpusIsNamedToTheController() {
        assertThat(ImagesCommand.command(image("replica", List.of())))
                .isEqualTo("kustomize edit set image knabla/replica=registry/replica@sha256:a");
        assertThat(ImagesCommand.command(image("replica-gpu", List.of(CUDNN))))
                .isEqualTo(
                        "kubectl -n knabla-system set env deployment/knabla-controller KNABLA_CLUSTER_GPU_IMAGE=registry/replica-gpu@sha256:a");
    }

    @Test
    void sizesAndLicencesAreTold() {
        assertThat(ImagesCommand.content(CUDNN))
                .isEqualTo("  nvidia-cudnn-cu13 9.13: 517 MiB, licence: NVIDIA Proprietary");
    }
}
