package io.knabla.controller.cli.images;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What one image is.
 *
 * @param name the last part of its repository
 * @param title one line for people, in its labels
 * @param layers what lies upon the base, the one that changes most seldom first
 * @param entrypoint what runs; a pod that gives arguments leaves it in place
 * @param arguments what it is told where a pod gives none
 * @param port where it listens, as far as the image says
 */
record Image(
        String name,
        String title,
        List<Layer> layers,
        List<String> entrypoint,
        List<String> arguments,
        Map<String, String> environment,
        int port) {
    /** Where everything of ours lies in an image, and where its processes stand. */
    static final String ROOT = "/knabla";

    /** Nobody in particular, as the distroless images number him; no file of an image is his. */
    static final String USER = "65532:65532";

    Image {
        layers = List.copyOf(layers);
        entrypoint = List.copyOf(entrypoint);
        arguments = List.copyOf(arguments);
        environment = Map.copyOf(environment);
    }

    /** The same with one more layer, below all others. */
    Image on(Layer lowest) {
        var all = new ArrayList<>(List.of(lowest));
        all.addAll(layers);
        return new Image(name, title, all, entrypoint, arguments, environment, port);
    }

    /**
     * Some files of a staged tree.
     *
     * @param tree a staged folder
     * @param at what that folder is in the image
     * @param files in it, relative; a folder stands for all that is in it
     */
    record Layer(String name, Path tree, String at, List<Path> files) {
        /** Of a tree that becomes {@link #ROOT}. */
        Layer(String name, Path tree, List<Path> files) {
            this(name, tree, ROOT, files);
        }
    }
}
