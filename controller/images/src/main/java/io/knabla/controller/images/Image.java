package io.knabla.controller.images;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

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
        var all = new ArrayList<>(List.of(lowest));
        all.addAll(layers);
        return new Image(name, title, all, entrypoint, arguments, environment, port);
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
