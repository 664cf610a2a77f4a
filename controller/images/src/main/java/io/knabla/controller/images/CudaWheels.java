package io.knabla.controller.images;

import io.knabla.controller.cli.CliFailure;
import io.knabla.controller.cli.verbs.images.ImageBuild.Wheel;
import io.knabla.controller.images.Image.Layer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The wheels that pip installed for computing on a GPU: ONNX Runtime's CUDA provider and NVIDIA's libraries. Knabla
 * ships none of them; each file comes into the image unmodified, with the licence of its wheel.
 *
 * @param home folder of {@code pip install --target}
 * @param installed wheels with a library that a replica opens, by name
 */
record CudaWheels(Path home, List<InstalledWheel> installed) {
    /** Folder in the image that stands for {@link #home}: replicas look for libraries below it. */
    static final String FOLDER = Image.ROOT + "/cuda";

    private static final String INSTALL = "python3 -m pip install --target %s 'onnxruntime-gpu[cuda,cudnn]==1.29.0'";
    private static final String PROVIDER = "onnxruntime-gpu";
    private static final String VERSION = "1.29.0";

    private static final Set<Path> PROVIDER_FILES = Stream.of(
                    "libonnxruntime.so.1.29.0",
                    "libonnxruntime_providers_shared.so",
                    "libonnxruntime_providers_cuda.so")
            .map(Path.of("onnxruntime/capi")::resolve)
            .collect(Collectors.toUnmodifiableSet());

    private static final Set<Path> NVIDIA = Set.of(Path.of("nvidia/cu13/lib"), Path.of("nvidia/cudnn/lib"));
    private static final Pattern LIBRARY = Pattern.compile("lib.+\\.so(\\.\\d+)*");

    /** Without these no model runs; cuDNN is needed for convolutions. */
    private static final List<String> NEEDED =
            List.of("libcudart.so.13", "libcublasLt.so.13", "libcublas.so.13", "libcurand.so.10", "libcudnn.so.9");

    CudaWheels {
        installed = List.copyOf(installed);
    }

    /** Fails with the command that installs them if the provider is missing, or has another version. */
    static CudaWheels of(Path home) throws IOException {
        List<InstalledWheel> all = new ArrayList<>();
        for (Path about : InstalledWheel.folders(home)) {
            all.add(InstalledWheel.read(about, CudaWheels::isLibrary));
        }
        List<InstalledWheel> ours =
                all.stream().filter(wheel -> !wheel.libraries().isEmpty()).toList();
        Set<Path> found =
                ours.stream().flatMap(wheel -> wheel.libraries().stream()).collect(Collectors.toSet());
        boolean right = ours.stream().anyMatch(wheel -> wheel.is(PROVIDER, VERSION));
        if (!right || !found.containsAll(PROVIDER_FILES)) {
            throw CliFailure.failed(
                    "ONNX Runtime's CUDA provider %s is not in %s, where KNABLA_CUDA_HOME or its default says it is. Install it and NVIDIA's libraries on Linux x86-64 with Python 3.11 or newer: %s",
                    VERSION, home, INSTALL.formatted(home));
        }
        return new CudaWheels(home, ours);
    }

    private static boolean isLibrary(Path file) {
        return PROVIDER_FILES.contains(file)
                || NVIDIA.contains(file.getParent())
                        && LIBRARY.matcher(file.getFileName().toString()).matches();
    }

    /** NVIDIA's libraries that must be in the base, as no wheel has them. */
    List<String> missing() {
        Set<String> found = installed.stream()
                .flatMap(wheel -> wheel.libraries().stream())
                .map(file -> file.getFileName().toString())
                .collect(Collectors.toSet());
        return NEEDED.stream().filter(Predicate.not(found::contains)).toList();
    }

    /** Fails if a base without NVIDIA's libraries would leave the image without some. */
    void requireAll() {
        if (!missing().isEmpty()) {
            throw CliFailure.failed(
                    "%s of NVIDIA is in no wheel in %s, and --gpu-base host has none. Install them: %s",
                    String.join(", ", missing()), home, INSTALL.formatted(home));
        }
    }

    /** One layer a wheel: a new version of one changes no other. */
    List<Layer> layers() {
        return installed.stream()
                .map(wheel -> new Layer(wheel.name(), home, FOLDER, wheel.files()))
                .toList();
    }

    /** What people who pass the image on must know: sizes and licences. */
    List<Wheel> contents() throws IOException {
        List<Wheel> contents = new ArrayList<>();
        for (InstalledWheel wheel : installed) {
            contents.add(wheel.summary(home));
        }
        return contents;
    }
}
