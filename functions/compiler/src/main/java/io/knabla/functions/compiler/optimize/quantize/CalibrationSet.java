package io.knabla.functions.compiler.optimize.quantize;

import io.knabla.functions.Fault;
import io.knabla.functions.compiler.interpreter.EvaluationException;
import io.knabla.functions.compiler.interpreter.NdArray;
import io.knabla.functions.compiler.onnx.Dim;
import io.knabla.functions.compiler.onnx.ElementType;
import io.knabla.functions.compiler.onnx.NumpyArray;
import io.knabla.functions.compiler.onnx.Shape;
import io.knabla.functions.compiler.onnx.TensorType;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;

/**
 * Calibration examples for a model's inputs, read from a NumPy archive. The file is written by {@code numpy.savez(file,
 * name=array, …)}: one array per input, with the examples along its first axis.
 */
public final class CalibrationSet {
    private static final long MAX_BYTES = 256L << 20;
    private static final String SUFFIX = ".npy";

    private final Map<String, NdArray> arrays;
    private final int batch;

    private CalibrationSet(Map<String, NdArray> arrays, int batch) {
        this.arrays = arrays;
        this.batch = batch;
    }

    /** Result of reading a calibration file. */
    public sealed interface Read {
        record Opened(CalibrationSet set) implements Read {}

        /** All faults of the file. */
        record Refused(List<Fault> problems) implements Read {
            public Refused {
                problems = List.copyOf(problems);
            }
        }
    }

    /** @param inputs of the model, by name */
    public static Read read(Path npz, Map<String, TensorType> inputs) throws IOException {
        var problems = new ArrayList<Fault>();
        var arrays = new LinkedHashMap<String, NdArray>();
        try (var zip = new ZipFile(npz.toFile())) {
            long[] left = {MAX_BYTES};
            inputs.forEach((name, type) -> {
                try {
                    arrays.put(name, fitted(array(zip, name, left), type));
                } catch (EvaluationException unfit) {
                    problems.add(new Fault(name, unfit.getMessage()));
                }
            });
        } catch (ZipException not) {
            problems.add(new Fault("", "it is not a file written by numpy.savez: " + not.getMessage()));
        }
        if (arrays.values().stream().mapToInt(a -> a.dim(0)).distinct().count() > 1) {
            problems.add(new Fault("", "its arrays hold different numbers of examples"));
        }
        int batch = batch(inputs);
        if (problems.isEmpty() && arrays.values().stream().anyMatch(a -> a.dim(0) < batch)) {
            problems.add(new Fault("", "it holds fewer than %d examples".formatted(batch)));
        }
        return problems.isEmpty() ? new Read.Opened(new CalibrationSet(arrays, batch)) : new Read.Refused(problems);
    }

    /** Batch size that the shapes of the model's inputs fix; 1 if they fix none. */
    private static int batch(Map<String, TensorType> inputs) {
        return inputs.values().stream()
                .flatMap(type -> type.shape().stream())
                .filter(shape -> shape.rank() > 0 && shape.dim(0).known())
                .mapToInt(
                        shape -> (int) Math.min(Integer.MAX_VALUE, shape.dim(0).or(1)))
                .max()
                .orElse(1);
    }

    private static NdArray array(ZipFile zip, String name, long[] left) {
        ZipEntry entry = zip.getEntry(name + SUFFIX);
        if (entry == null) {
            throw new EvaluationException("is missing; the file holds "
                    + zip.stream()
                            .map(e -> e.getName().replace(SUFFIX, ""))
                            .limit(20)
                            .toList());
        }
        try (InputStream in = zip.getInputStream(entry)) {
            // The size that the archive states may be wrong.
            byte[] bytes = in.readNBytes((int) left[0] + 1);
            left[0] -= bytes.length;
            if (left[0] < 0) {
                throw new EvaluationException(
                        "brings the file above %d MiB; a few hundred examples are enough".formatted(MAX_BYTES >> 20));
            }
            return NdArray.of(NumpyArray.read(bytes).tensor());
        } catch (IOException damaged) {
            throw new EvaluationException("is damaged: " + damaged.getMessage());
        } catch (IllegalArgumentException unusable) {
            throw new EvaluationException(unusable.getMessage());
        }
    }

    /** Converts NumPy's doubles and small integers to the element type of the model's input. */
    private static NdArray fitted(NdArray array, TensorType type) {
        ElementType wanted = type.element();
        if (array.rank() == 0) {
            throw new EvaluationException("has no axis of examples");
        }
        type.shape().ifPresent(shape -> check(array, shape));
        if (array.element() == wanted) {
            return array;
        }
        if (wanted == ElementType.FLOAT) {
            return NdArray.reals(wanted, array.dims(), array.reals());
        }
        boolean widens = wanted == ElementType.INT64 && !array.element().isFloat();
        if (!widens) {
            throw new EvaluationException("holds %s, the model wants %s".formatted(array.element(), wanted));
        }
        return NdArray.whole(wanted, array.dims(), array.whole());
    }

    private static void check(NdArray array, Shape shape) {
        boolean fits = shape.rank() == array.rank();
        for (int d = 1; fits && d < shape.rank(); d++) {
            Dim dim = shape.dim(d);
            fits = !dim.known() || dim.is(array.dim(d));
        }
        if (!fits) {
            throw new EvaluationException(
                    "has the shape %s, the model wants %s".formatted(java.util.Arrays.toString(array.dims()), shape));
        }
    }

    public int examples() {
        return arrays.values().stream().mapToInt(a -> a.dim(0)).findFirst().orElse(0);
    }

    /** @param size examples per batch if the model does not fix it; an incomplete last batch is dropped */
    public Stream<Map<String, NdArray>> batches(int size) {
        int each = Math.clamp(batch > 1 ? batch : size, 1, Math.max(1, examples()));
        return IntStream.range(0, examples() / each).mapToObj(i -> part(i * each, each));
    }

    private Map<String, NdArray> part(int from, int count) {
        var part = new LinkedHashMap<String, NdArray>();
        arrays.forEach((name, array) -> {
            int[] dims = array.dims();
            int block = array.size() / dims[0];
            dims[0] = count;
            part.put(name, array.pick(dims, i -> from * block + i));
        });
        return part;
    }
}
