package io.knabla.functions.graph;

/**
 * How much of a stranger's model is read. Each bound is far above real models and far below what could exhaust a
 * machine.
 *
 * @param fields protobuf fields in the file; each costs tens of bytes of heap
 * @param nodes of the graph, its subgraphs and functions together
 * @param initializers likewise
 * @param depth subgraphs within subgraphs
 * @param typedBytes of numbers written one by one ({@code float_data} and its kin), which unlike {@code raw_data} have
 *     to be copied to the heap
 * @param attributeBytes of one attribute's tensor
 * @param tensorBytes of one initializer
 */
public record Limits(
        long fileBytes,
        long fields,
        long nodes,
        long initializers,
        int depth,
        long typedBytes,
        long attributeBytes,
        long tensorBytes) {

    /** Protobuf itself ends at 2 GiB; bigger models keep their weights in external data. */
    public static final Limits DEFAULT =
            new Limits(Integer.MAX_VALUE, 4_000_000, 100_000, 200_000, 16, 256L << 20, 64L << 20, 32L << 30);
}
