package io.knabla.controller.images;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Describes one container image: layers, command, environment.
 *
 * @param name the last part of its repository
 * @param title one-line description, for the labels
 * @param layers above the base, the one that changes least often first
 * @param entrypoint program; a pod that sets arguments keeps it
 * @param arguments default arguments, if a pod sets none
 * @param port exposed port
 */
record Image(
        String name,
        String title,
        List<Layer> layers,
        List<String> entrypoint,
        List<String> arguments,
        Map<String, String> environment,
        int port) {
    /** Folder of our files in an image, and the working directory. */
    static final String ROOT = "/knabla";

    /** The user {@code nonroot} of the distroless images; owns no files. */
    static final String USER = "65532:65532";

    Image {
        layers = List.copyOf(layers);
        entrypoint = List.copyOf(entrypoint);
        arguments = List.copyOf(arguments);
        environment = Map.copyOf(environment);
    }

    /** A copy with one more layer, below all others. */
    Image withLowestLayer(Layer lowest) {
        return new Image(name, title, below(List.of(lowest)), entrypoint, arguments, environment, port);
    }

    /**
     * The same program on an NVIDIA GPU.
     *
     * @param libraries layers with what that takes, below {@link CudaWheels#FOLDER}
     */
    Image onGpu(List<Layer> libraries) {
        Map<String, String> variables = new TreeMap<>(environment);
        variables.put("KNABLA_CUDA_HOME", CudaWheels.FOLDER);
        // By default NVIDIA's container toolkit may leave out libcuda, which is the driver's.
        variables.put("NVIDIA_DRIVER_CAPABILITIES", "compute,utility");
        return new Image(
                name + "-gpu", title + ", on an NVIDIA GPU", below(libraries), entrypoint, arguments, variables, port);
    }

    private List<Layer> below(List<Layer> lower) {
        return Stream.concat(lower.stream(), layers.stream()).toList();
    }

    /**
     * Layer of an image: some files of a staged tree.
     *
     * @param tree a staged folder
     * @param at path of that folder in the image
     * @param files paths relative to the tree; a folder includes everything in it
     */
    record Layer(String name, Path tree, String at, List<Path> files) {
        /** Layer of a tree that becomes {@link #ROOT}. */
        Layer(String name, Path tree, List<Path> files) {
            this(name, tree, ROOT, files);
        }
    }
}
