package io.knabla.functions.compiler.cuda;

import io.knabla.functions.compiler.onnx.ElementType;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.zip.GZIPInputStream;

/**
 * Kernels that the CUDA provider of ONNX Runtime 1.29.0 registers, read from the provider itself by
 * {@code cuda_kernels.py}, which describes the format.
 */
public final class CudaKernels {
    public static final CudaKernels TABLE = read();

    private static final int COLUMNS = 6;

    private final Map<String, List<CudaKernel>> kernels;

    private CudaKernels(Map<String, List<CudaKernel>> kernels) {
        this.kernels = kernels;
    }

    /**
     * Whether the provider computes the operator.
     *
     * @param domain "" for ONNX's own
     * @param opset that the model imports for the domain
     * @param inputs element types; {@link ElementType#UNDEFINED} for an omitted or unknown one
     */
    public boolean has(
            String domain, String operator, long opset, List<ElementType> inputs, List<ElementType> outputs) {
        return find(domain, operator, opset, inputs, outputs).isPresent();
    }

    /** Whether the provider computes the operator in some version with some types. */
    public boolean hasSome(String domain, String operator) {
        return kernels.containsKey(key(domain, operator));
    }

    /** Whether it does so in this opset with some types. */
    public boolean hasSome(String domain, String operator, long opset) {
        return of(domain, operator).stream().anyMatch(kernel -> kernel.isFor(opset));
    }

    Optional<CudaKernel> find(
            String domain, String operator, long opset, List<ElementType> inputs, List<ElementType> outputs) {
        return of(domain, operator).stream()
                .filter(kernel -> kernel.isFor(opset) && kernel.accepts(inputs, outputs))
                .findFirst();
    }

    private List<CudaKernel> of(String domain, String operator) {
        return kernels.getOrDefault(key(domain, operator), List.of());
    }

    private static String key(String domain, String operator) {
        return domain + ":" + operator;
    }

    private static CudaKernels read() {
        try (InputStream file = CudaKernels.class.getResourceAsStream("cuda-kernels.tsv.gz");
                var lines =
                        new BufferedReader(new InputStreamReader(new GZIPInputStream(file), StandardCharsets.UTF_8))) {
            var kernels = new HashMap<String, List<CudaKernel>>();
            lines.lines()
                    .map(line -> line.split("\t", COLUMNS))
                    .forEach(columns -> kernels.computeIfAbsent(key(columns[0], columns[1]), _ -> new ArrayList<>())
                            .add(kernel(columns)));
            return new CudaKernels(kernels);
        } catch (IOException damaged) {
            throw new UncheckedIOException("the table of CUDA kernels is damaged", damaged);
        }
    }

    private static CudaKernel kernel(String[] columns) {
        long last = Long.parseLong(columns[3]);
        return new CudaKernel(
                Long.parseLong(columns[2]),
                last == 0 ? Long.MAX_VALUE : last,
                types(columns[4], 'i'),
                types(columns[4], 'o'),
                positions(columns[5], 'i'),
                positions(columns[5], 'o'));
    }

    private static Map<Integer, Set<ElementType>> types(String column, char side) {
        var types = new HashMap<Integer, Set<ElementType>>();
        for (String one : column.split(";")) {
            if (!one.isEmpty() && one.charAt(0) == side) {
                int sign = one.indexOf('=');
                types.put(Integer.valueOf(one.substring(1, sign)), elements(one.substring(sign + 1)));
            }
        }
        return Map.copyOf(types);
    }

    /** A sequence counts as its elements, as in {@link io.knabla.functions.compiler.shape.ShapeInference}. */
    private static Set<ElementType> elements(String names) {
        var elements = new HashSet<ElementType>();
        for (String name : names.split(",")) {
            elements.add(ElementType.valueOf(name.toUpperCase(Locale.ROOT)));
        }
        return Set.copyOf(elements);
    }

    private static Set<Integer> positions(String column, char side) {
        var positions = new HashSet<Integer>();
        for (String one : column.split(" ")) {
            if (!one.isEmpty() && one.charAt(0) == side) {
                positions.add(Integer.valueOf(one.substring(1)));
            }
        }
        return Set.copyOf(positions);
    }
}
