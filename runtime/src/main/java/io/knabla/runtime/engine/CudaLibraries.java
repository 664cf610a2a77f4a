package io.knabla.runtime.engine;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The native libraries that computing on an NVIDIA GPU takes: finds them, and opens them by their full paths, so that
 * no {@code LD_LIBRARY_PATH} is needed. ONNX Runtime's CUDA provider then finds them by their names.
 *
 * @param home folder into which pip installed them, as {@link #INSTALL} does
 * @param folders where else to look, in this order
 * @param engine folder with the engine's own libraries
 */
public record CudaLibraries(Path home, List<Path> folders, Path engine) {
    /** What installs all but the driver; the folder comes first. The version is that of the engine. */
    private static final String INSTALL = "python3 -m pip install --target %s 'onnxruntime-gpu[cuda,cudnn]==1.29.0'";

    private static final String GET_DRIVER =
            "install NVIDIA's driver 580 or newer; in a container, run it with NVIDIA's container toolkit; in a pod, ask for resources.gpu: 1";

    private static final String CORE = "libonnxruntime.so.1.29.0";
    private static final String BINDING = "libonnxruntime4j_jni.so";

    /** NVIDIA's management library, which comes with the driver. Nothing is computed by it. */
    private static final String MANAGEMENT = "libnvidia-ml.so.1";

    /** Where pip puts libraries, below its folder; the last two are those of CUDA installed otherwise. */
    private static final List<String> BELOW_HOME =
            List.of("onnxruntime/capi", "nvidia/cu13/lib", "nvidia/cudnn/lib", "lib64", "lib");

    private static final Path SYSTEM = Path.of("/usr/local/cuda/lib64");

    /** One library, in the order in which they need each other. */
    public enum Library {
        DRIVER("libcuda.so.1", "NVIDIA's driver"),
        RUNTIME("libcudart.so.13", "CUDA 13"),
        MATRICES_LIGHT("libcublasLt.so.13", "CUDA 13"),
        MATRICES("libcublas.so.13", "CUDA 13"),
        RANDOM_NUMBERS("libcurand.so.10", "CUDA 13"),
        /** Models without convolutions, and without some kinds of attention, run without it: the first run tells. */
        NEURAL_NETWORKS("libcudnn.so.9", "cuDNN 9"),
        PROVIDERS("libonnxruntime_providers_shared.so", "ONNX Runtime 1.29.0 for GPUs"),
        PROVIDER("libonnxruntime_providers_cuda.so", "ONNX Runtime 1.29.0 for GPUs");

        private final String file;
        private final String origin;

        Library(String file, String origin) {
            this.file = file;
            this.origin = origin;
        }

        public String file() {
            return file;
        }

        /** Whether no model runs without it. */
        public boolean isRequired() {
            return this != NEURAL_NETWORKS;
        }

        /** Whether the engine opens it itself: it must not be opened before the engine. */
        private boolean isOfEngine() {
            return this == PROVIDERS || this == PROVIDER;
        }
    }

    /**
     * A library that could not be opened.
     *
     * @param sentence what is wrong
     * @param command what to do about it
     */
    public record Missing(Library library, String sentence, String command) {}

    /** @param environment variables of the process: {@code KNABLA_CUDA_HOME}, and those of the system */
    public static CudaLibraries of(Map<String, String> environment) {
        List<Path> folders = new ArrayList<>();
        Stream.of(environment.getOrDefault("LD_LIBRARY_PATH", "").split(":"))
                .filter(folder -> !folder.isBlank())
                .map(Path::of)
                .forEach(folders::add);
        folders.add(SYSTEM);
        return new CudaLibraries(home(environment), List.copyOf(folders), engineFolder());
    }

    private static Path home(Map<String, String> environment) {
        String own = environment.getOrDefault("KNABLA_CUDA_HOME", "");
        if (!own.isBlank()) {
            return Path.of(own).toAbsolutePath();
        }
        String cache = environment.getOrDefault("XDG_CACHE_HOME", "");
        Path caches = cache.isBlank()
                ? Path.of(environment.getOrDefault("HOME", System.getProperty("user.home")), ".cache")
                : Path.of(cache);
        return caches.resolve("knabla").resolve("cuda").toAbsolutePath();
    }

    private static Path engineFolder() {
        return Path.of(System.getProperty("onnxruntime.native.path", ".")).toAbsolutePath();
    }

    /** Opens all libraries for the rest of the process; those that fail are in the result. */
    public List<Missing> open() {
        return Stream.of(Library.values())
                .flatMap(library -> open(library).stream())
                .toList();
    }

    private Optional<Missing> open(Library library) {
        Optional<Path> found = find(library.file);
        if (library.isOfEngine()) {
            return found.isPresent() ? Optional.empty() : Optional.of(missing(library));
        }
        try {
            load(library.file, found);
            return Optional.empty();
        } catch (IllegalArgumentException unusable) {
            return Optional.of(found.map(file -> broken(library, file)).orElseGet(() -> missing(library)));
        }
    }

    /** One that is in none of the folders may still be where the system's loader looks, as drivers are. */
    @SuppressWarnings("restricted")
    private static SymbolLookup load(String file, Optional<Path> found) {
        return found.isPresent()
                ? SymbolLookup.libraryLookup(found.get(), Arena.global())
                : SymbolLookup.libraryLookup(file, Arena.global());
    }

    /** A function of a library that is open. */
    MemorySegment function(Library library, String name) {
        return load(library.file, find(library.file)).findOrThrow(name);
    }

    /** Opens NVIDIA's management library for the rest of the process; empty where there is none. */
    Optional<SymbolLookup> management() {
        try {
            return Optional.of(load(MANAGEMENT, find(MANAGEMENT)));
        } catch (IllegalArgumentException absent) {
            return Optional.empty();
        }
    }

    private Optional<Path> find(String file) {
        Set<Path> all = new LinkedHashSet<>();
        all.add(engine);
        BELOW_HOME.forEach(folder -> all.add(home.resolve(folder)));
        all.addAll(folders);
        return all.stream()
                .map(folder -> folder.resolve(file))
                .filter(Files::exists)
                .findFirst();
    }

    private Missing missing(Library library) {
        return library == Library.DRIVER
                ? new Missing(
                        library,
                        "this machine has no NVIDIA driver (libcuda.so.1), or the container was given no GPU",
                        GET_DRIVER)
                : new Missing(library, "%s of %s is missing".formatted(library.file, library.origin), install());
    }

    private Missing broken(Library library, Path file) {
        return new Missing(
                library,
                "%s cannot be opened: it is damaged, for another kind of machine, or lacks a library itself; ldd names that"
                        .formatted(file),
                library == Library.DRIVER ? GET_DRIVER : install());
    }

    private String install() {
        return INSTALL.formatted(home);
    }

    /** One sentence about all that is missing, with each command once. */
    public static String sentence(List<Missing> missing) {
        return "a replica cannot compute on a GPU here: %s. To mend it: %s"
                .formatted(
                        missing.stream().map(Missing::sentence).collect(Collectors.joining("; ")),
                        missing.stream().map(Missing::command).distinct().collect(Collectors.joining("; and: ")));
    }

    /**
     * Loads the engine itself from where its CUDA provider lies, since it looks for providers only beside itself. Does
     * nothing where all of them lie in the engine's own folder, as in an image for GPUs.
     */
    @SuppressWarnings("restricted")
    void loadEngine() {
        Path provider = find(Library.PROVIDER.file).orElseThrow().getParent();
        if (provider.equals(engine)) {
            return;
        }
        Path core = provider.resolve(CORE);
        if (!Files.exists(core)) {
            throw EngineException.unloadable(
                    "a replica cannot compute on a GPU here: %s is missing beside %s, which needs just that version. To mend it: %s"
                            .formatted(core, Library.PROVIDER.file, install()));
        }
        System.load(core.toString());
        System.load(engine.resolve(BINDING).toString());
        // The binding would load those of its own folder.
        System.setProperty("onnxruntime.native.onnxruntime.skip", "true");
        System.setProperty("onnxruntime.native.onnxruntime4j_jni.skip", "true");
    }
}
