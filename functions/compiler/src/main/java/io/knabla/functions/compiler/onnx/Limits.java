package io.knabla.functions.compiler.onnx;

/**
 * Bounds on the size of an untrusted model, which {@code ModelReader} and {@code WireScan} enforce. Each bound is far
 * above real models and far below what could exhaust a machine.
 *
 * @param fields protobuf fields in the file; each costs tens of bytes of heap
 * @param nodes in the graph, its subgraphs and functions together
 * @param initializers counted likewise
 * @param depth nesting depth of subgraphs
 * @param typedBytes bytes in typed lists ({@code float_data} and similar), which, unlike {@code raw_data}, are copied
 *     to the heap
 * @param attributeBytes bytes of one attribute's tensor
 * @param tensorBytes bytes of one initializer
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

    /** A protobuf message ends at 2 GiB; larger models keep their weights in external data. */
    public static final Limits DEFAULT =
            new Limits(Integer.MAX_VALUE, 4_000_000, 100_000, 200_000, 16, 256L << 20, 64L << 20, 32L << 30);
}
