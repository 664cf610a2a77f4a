package io.knabla.functions.decoder.graph;

import java.io.IOException;
import java.nio.file.Path;

/** A planned graph, which can be written with its weights. */
public interface PackagedGraph {
    /** Usual name of the file of weights beside the graph. */
    String WEIGHTS = "weights.bin";

    /** Name of this graph's file of weights. */
    String weightsFile();

    /** Bytes of the weights as they are written. */
    long weightBytes();

    /**
     * Writes the graph and, beside it as {@link #weightsFile}, the weights. Two graphs of one model have the same
     * weights, which are written once.
     *
     * @param graph file of the graph, which does not exist
     */
    void write(Path graph) throws IOException;
}
