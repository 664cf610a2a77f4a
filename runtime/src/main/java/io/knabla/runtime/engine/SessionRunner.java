package io.knabla.runtime.engine;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import ai.onnxruntime.OrtSession.RunOptions;
import io.knabla.functions.unit.EngineName;
import io.knabla.functions.unit.TensorSpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** Runs one session. The engine writes outputs of predictable shape directly into pooled memory. */
final class SessionRunner {
    private final OrtSession session;
    private final List<TensorSpec> outputs;
    private final String[] engineNames;
    private final boolean[] written;
    private final OutputShapes shapes;
    private final TensorPool pool;
    private final int largest;

    /** Cleared permanently when an output's shape differs from the signature. */
    private volatile boolean binding = true;

    SessionRunner(OrtSession session, List<TensorSpec> inputs, List<TensorSpec> outputs, HostMemory memory) {
        this.session = session;
        this.outputs = outputs;
        this.engineNames =
                outputs.stream().map(TensorSpec::name).map(EngineName::of).toArray(String[]::new);
        this.written = written(inputs, outputs);
        this.shapes = new OutputShapes(inputs, outputs);
        this.pool = new TensorPool(outputs.stream().map(TensorSpec::name).toList(), memory);
        this.largest = memory.largestOutput();
    }

    /**
     * Which outputs the engine writes into memory that is given for them. It does not for an output that is directly an
     * input, and of outputs with the same name it writes one.
     */
    private static boolean[] written(List<TensorSpec> inputs, List<TensorSpec> outputs) {
        Map<String, Integer> count = new HashMap<>();
        inputs.forEach(input -> count.merge(input.name(), 1, Integer::sum));
        outputs.forEach(output -> count.merge(output.name(), 1, Integer::sum));
        var written = new boolean[outputs.size()];
        for (int i = 0; i < written.length; i++) {
            written[i] = count.get(outputs.get(i).name()) == 1;
        }
        return written;
    }

    /** Computes the wanted outputs; pass them to {@link #release} after reading. */
    List<Tensor> run(List<Tensor> inputs, boolean[] wanted, RunOptions options) throws OrtException {
        Map<String, OnnxTensor> fed = HashMap.newHashMap(inputs.size());
        for (Tensor input : inputs) {
            fed.put(EngineName.of(input.name()), TensorBinding.toOnnx(input));
        }
        if (binding) {
            try {
                return run(fed, bound(inputs, wanted), wanted, options);
            } catch (OrtException error) {
                if (!aboutShapes(error)) {
                    throw error;
                }
                binding = false;
            }
        }
        return run(fed, new Tensor[outputs.size()], wanted, options);
    }

    private static boolean aboutShapes(OrtException error) {
        String message = String.valueOf(error.getMessage());
        return message.contains("shape") || message.contains("invalid dimensions for output");
    }

    private Tensor[] bound(List<Tensor> inputs, boolean[] wanted) throws OrtException {
        var bound = new Tensor[outputs.size()];
        for (int i = 0; i < bound.length; i++) {
            long[] shape = wanted[i] && written[i] ? shapes.of(i, inputs) : null;
            if (shape != null) {
                TensorSpec spec = outputs.get(i);
                long bytes = bytes(shape, spec.datatype().bytes());
                if (bytes > 0 && bytes <= largest) {
                    bound[i] = pool.take(spec.name(), spec.datatype(), shape, (int) bytes);
                }
            }
        }
        return bound;
    }

    private static long bytes(long[] shape, int each) {
        long bytes = each;
        for (long size : shape) {
            bytes = Math.min(bytes * size, Integer.MAX_VALUE);
        }
        return bytes;
    }

    private List<Tensor> run(Map<String, OnnxTensor> fed, Tensor[] bound, boolean[] wanted, RunOptions options)
            throws OrtException {
        boolean answered = false;
        try {
            List<Tensor> answers = answers(fed, bound, wanted, options);
            answered = true;
            return answers;
        } finally {
            if (!answered) {
                // Otherwise every failed run would leak pooled memory.
                Arrays.stream(bound).filter(Objects::nonNull).forEach(pool::give);
            }
        }
    }

    private List<Tensor> answers(Map<String, OnnxTensor> fed, Tensor[] bound, boolean[] wanted, RunOptions options)
            throws OrtException {
        Set<String> asked = new LinkedHashSet<>();
        Map<String, OnnxTensor> given = new HashMap<>();
        for (int i = 0; i < bound.length; i++) {
            if (bound[i] != null) {
                given.put(engineNames[i], TensorBinding.toOnnx(bound[i]));
            } else if (wanted[i]) {
                asked.add(engineNames[i]);
            }
        }
        try (OrtSession.Result result = session.run(fed, asked, given, options)) {
            var answers = new ArrayList<Tensor>(bound.length);
            for (int i = 0; i < bound.length; i++) {
                if (bound[i] != null) {
                    assert UnwrittenPattern.isOverwritten(bound[i])
                            : "the engine left output " + outputs.get(i) + " unwritten";
                    answers.add(bound[i]);
                } else if (wanted[i]) {
                    answers.add(TensorBinding.fromOnnx(outputs.get(i).name(), (OnnxTensor)
                            result.get(engineNames[i]).orElseThrow()));
                }
            }
            return answers;
        }
    }

    void release(List<Tensor> answers) {
        answers.forEach(pool::give);
    }

    void close() throws OrtException {
        pool.close();
        session.close();
    }
}
