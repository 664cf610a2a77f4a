package io.knabla.runtime.engine;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import ai.onnxruntime.OrtSession.RunOptions;
import io.knabla.functions.unit.DataType;
import io.knabla.functions.unit.EngineName;
import io.knabla.functions.unit.GraphManifest;
import io.knabla.functions.unit.TensorSpec;
import io.knabla.functions.unit.TrainingSpec;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Runs training steps with double-buffered state: reads one set of buffers, writes the other, saves it, then swaps the
 * two. A step is atomic: after a failure the next step reads the old state. Used by one thread at a time.
 *
 * <p>One set would not do: a late node could read a parameter that is already overwritten.
 */
final class Trainer {
    /** Output with the step number; the replica supplies it if the graph has no output of this name. */
    static final String STEP = "step";

    private static final String LOSS = "loss";

    /**
     * Attempts before the caller must retry. Each lost attempt is a step of another replica: of two that race without
     * pause, one loses all with probability 2^-8.
     */
    private static final int ATTEMPTS = 8;

    private final OrtSession session;
    private final List<TensorSpec> outputs;
    private final TrainingSpec training;
    private final Checkpoints checkpoints;
    private final Set<String> graphOutputs;
    private StateBuffers current;
    private StateBuffers next;
    private long steps;
    private boolean stale;

    Trainer(OrtSession session, GraphManifest manifest, Checkpoints checkpoints) {
        this.session = session;
        this.outputs = manifest.outputs();
        this.training = manifest.training().orElseThrow();
        this.checkpoints = checkpoints;
        this.graphOutputs = session.getOutputNames();
        this.current = new StateBuffers(training);
        this.next = new StateBuffers(training);
        reload();
    }

    private void reload() {
        stale = true;
        steps = checkpoints.load(current.tensors());
        stale = false;
    }

    /** Runs one step and returns its wanted outputs; the new state is durable when this returns. */
    List<Tensor> step(List<Tensor> inputs, boolean[] wanted, DeadlineGuard guard) {
        if (stale) {
            reload();
        }
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            List<Tensor> answers = attempt(inputs, wanted, guard);
            if (save()) {
                var before = current;
                current = next;
                next = before;
                steps++;
                return answers;
            }
            // Another replica saved a step first: repeat this one on its state.
            reload();
        }
        throw EngineException.raced(ATTEMPTS);
    }

    private List<Tensor> attempt(List<Tensor> inputs, boolean[] wanted, DeadlineGuard guard) {
        Map<String, Tensor> computed = guard.run(options -> run(inputs, wanted, options));
        Tensor loss = computed.get(LOSS);
        if (loss != null && !FiniteCheck.allFinite(loss)) {
            throw EngineException.notFinite("the loss is not finite");
        }
        for (Tensor tensor : next.tensors()) {
            if (!FiniteCheck.allFinite(tensor)) {
                throw EngineException.notFinite("the new value of '" + tensor.name() + "' is not finite");
            }
        }
        var answers = new ArrayList<Tensor>();
        for (int i = 0; i < wanted.length; i++) {
            if (wanted[i]) {
                Tensor answer = computed.get(outputs.get(i).name());
                answers.add(answer == null ? count(outputs.get(i)) : answer);
            }
        }
        return answers;
    }

    private Tensor count(TensorSpec spec) {
        if (!spec.name().equals(STEP) || spec.datatype() != DataType.INT64) {
            throw new IllegalStateException(
                    "the graph has no output '%s'; deploy the function again".formatted(spec.name()));
        }
        long[] shape = new long[spec.shape().size()];
        java.util.Arrays.fill(shape, 1);
        ByteBuffer data = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        return Tensor.numbers(spec.name(), DataType.INT64, shape, data.putLong(0, steps + 1));
    }

    private Map<String, Tensor> run(List<Tensor> inputs, boolean[] wanted, RunOptions options) throws OrtException {
        Map<String, OnnxTensor> fed =
                HashMap.newHashMap(inputs.size() + training.state().size());
        for (Tensor input : inputs) {
            fed.put(EngineName.of(input.name()), TensorBinding.toOnnx(input));
        }
        current.putInputs(fed);
        Map<String, OnnxTensor> given = HashMap.newHashMap(training.state().size());
        next.putOutputs(given);
        assert next.tensors().stream().allMatch(UnwrittenPattern::fill);
        Map<String, String> asked = asked(wanted);
        asked.keySet().removeAll(given.keySet());
        try (OrtSession.Result result = session.run(fed, asked.keySet(), given, options)) {
            assert next.tensors().stream().allMatch(UnwrittenPattern::isOverwritten)
                    : "the engine left state unwritten";
            Map<String, Tensor> computed = HashMap.newHashMap(asked.size());
            for (Map.Entry<String, String> one : asked.entrySet()) {
                computed.put(one.getValue(), TensorBinding.fromOnnx(one.getValue(), (OnnxTensor)
                        result.get(one.getKey()).orElseThrow()));
            }
            return computed;
        }
    }

    /** The graph's outputs to compute: their names by the names that the engine has for them. */
    private Map<String, String> asked(boolean[] wanted) {
        Map<String, String> asked = new LinkedHashMap<>();
        for (int i = 0; i < wanted.length; i++) {
            String name = outputs.get(i).name();
            String engineName = EngineName.of(name);
            // The loss also decides whether the step counts.
            if ((wanted[i] || name.equals(LOSS)) && graphOutputs.contains(engineName)) {
                asked.put(engineName, name);
            }
        }
        return asked;
    }

    private boolean save() {
        boolean known = false;
        try {
            boolean saved = checkpoints.save(next.tensors(), steps + 1);
            known = true;
            return saved;
        } catch (RuntimeException failed) {
            throw EngineException.notSaved(failed);
        } finally {
            stale = !known;
        }
    }

    void close() throws OrtException {
        current.close();
        next.close();
        session.close();
    }
}
