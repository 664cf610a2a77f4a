package io.knabla.functions.unit;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Lists the ONNX graphs of a unit with their weights, inputs and outputs: inference, gradients or a training step.
 *
 * @param schema version of this document: the lowest that can express its content; a reader refuses newer ones
 * @param graph the ONNX model that answers {@code infer}; its large initializers are external data whose
 *     {@code location} is the hex digest of a blob in {@code weights} (offset 0, length = the blob's size)
 * @param weights shared by all graphs of the unit
 * @param inputs inputs of {@code infer} in the model's order, without initializers and state
 * @param outputs outputs of {@code infer}, without state
 * @param batchable whether every input and output has the same variable first dimension, along which requests can be
 *     batched
 * @param optimization how the engine loads {@code graph}
 * @param entries additional graphs, by name
 * @param training state that the main graph keeps between calls; only for training steps
 * @param labels the input that holds class indices, if there is one
 * @param classes names of the classes that outputs score, for classifiers that carry them
 * @param defaults of inputs that a request may leave out
 */
public record GraphManifest(
        int schema,
        Blob graph,
        List<Blob> weights,
        List<TensorSpec> inputs,
        List<TensorSpec> outputs,
        boolean batchable,
        ModelVersion model,
        Optimization optimization,
        List<EntryPoint> entries,
        Optional<TrainingSpec> training,
        Optional<LabelRange> labels,
        List<ClassNames> classes,
        List<InputDefault> defaults)
        implements UnitManifest {
    /** Schema of a unit with one graph. */
    public static final int SCHEMA = 1;

    /** Schema of a unit with entries, training or an optimisation level. */
    public static final int SCHEMA_ENTRIES = 2;

    /** Schema of a unit with labels. */
    public static final int SCHEMA_LABELS = 3;

    /** Schema of a unit with names of classes. */
    public static final int SCHEMA_CLASSES = 4;

    /** Schema of a unit with optional inputs. */
    public static final int SCHEMA_DEFAULTS = 5;

    private static final String INFERENCE = "Inference";
    private static final String GRADIENT = "Gradient";
    private static final String TRAINING_STEP = "TrainingStep";

    /** The types of function that such units make. */
    public static final List<String> TYPES = List.of(INFERENCE, GRADIENT, TRAINING_STEP);

    /** Versions that decide whether an engine can load the model. */
    public record ModelVersion(long irVersion, long opset) {}

    public GraphManifest {
        weights = List.copyOf(weights);
        inputs = List.copyOf(inputs);
        outputs = List.copyOf(outputs);
        entries = List.copyOf(entries);
        classes = List.copyOf(classes);
        defaults = List.copyOf(defaults);
        int lowest = lowest(optimization, entries, training, labels, classes, defaults);
        if (schema != lowest) {
            throw new IllegalArgumentException(
                    "schema is %d, but this content is written with schema %d".formatted(schema, lowest));
        }
        if (labels.isPresent()) {
            labels.get().checkAmong(inputs);
        }
        for (ClassNames names : classes) {
            names.checkAmong(outputs);
        }
        for (InputDefault value : defaults) {
            value.checkAmong(inputs);
        }
        Set<String> names = new HashSet<>();
        for (EntryPoint entry : entries) {
            if (!names.add(entry.name())) {
                throw new IllegalArgumentException("two entries have the name '%s'".formatted(entry.name()));
            }
        }
    }

    private static int lowest(
            Optimization optimization,
            List<EntryPoint> entries,
            Optional<TrainingSpec> training,
            Optional<LabelRange> labels,
            List<ClassNames> classes,
            List<InputDefault> defaults) {
        if (!defaults.isEmpty()) {
            return SCHEMA_DEFAULTS;
        }
        if (!classes.isEmpty()) {
            return SCHEMA_CLASSES;
        }
        boolean plain = entries.isEmpty() && training.isEmpty() && optimization == Optimization.FULL;
        return labels.isPresent() ? SCHEMA_LABELS : plain ? SCHEMA : SCHEMA_ENTRIES;
    }

    /** A unit with one graph. */
    public GraphManifest(
            int schema,
            Blob graph,
            List<Blob> weights,
            List<TensorSpec> inputs,
            List<TensorSpec> outputs,
            boolean batchable,
            ModelVersion model) {
        this(
                schema,
                graph,
                weights,
                inputs,
                outputs,
                batchable,
                model,
                Optimization.FULL,
                List.of(),
                Optional.empty(),
                Optional.empty(),
                List.of(),
                List.of());
    }

    /** Returns a copy with these entries and this training state, without labels. */
    public GraphManifest with(Optimization opened, List<EntryPoint> beside, Optional<TrainingSpec> state) {
        return with(opened, beside, state, Optional.empty());
    }

    /** Returns a copy with these entries, this training state and these labels. */
    public GraphManifest with(
            Optimization opened, List<EntryPoint> beside, Optional<TrainingSpec> state, Optional<LabelRange> indices) {
        return copy(opened, beside, state, indices, classes, defaults);
    }

    /** Returns a copy with these names of classes. */
    public GraphManifest with(List<ClassNames> names) {
        return copy(optimization, entries, training, labels, names, defaults);
    }

    /** Returns a copy in which these inputs may be left out. */
    public GraphManifest withDefaults(List<InputDefault> values) {
        return copy(optimization, entries, training, labels, classes, values);
    }

    private GraphManifest copy(
            Optimization opened,
            List<EntryPoint> beside,
            Optional<TrainingSpec> state,
            Optional<LabelRange> indices,
            List<ClassNames> names,
            List<InputDefault> values) {
        int lowest = lowest(opened, beside, state, indices, names, values);
        return new GraphManifest(
                lowest, graph, weights, inputs, outputs, batchable, model, opened, beside, state, indices, names,
                values);
    }

    /** Whether a request may leave this input out. */
    public boolean isOptional(String input) {
        for (InputDefault value : defaults) {
            if (value.input().equals(input)) {
                return true;
            }
        }
        return false;
    }

    /** The additional graph with this name. */
    public Optional<EntryPoint> entry(String name) {
        for (EntryPoint entry : entries) {
            if (entry.name().equals(name)) {
                return Optional.of(entry);
            }
        }
        return Optional.empty();
    }

    @Override
    public String type() {
        return training.isPresent() ? TRAINING_STEP : entries.isEmpty() ? INFERENCE : GRADIENT;
    }

    @Override
    public GraphManifest graphs() {
        return this;
    }

    @Override
    public Map<String, Blob> files() {
        Map<String, Blob> files = new LinkedHashMap<>();
        for (Blob weight : weights) {
            files.put(weight.digest().hex(), weight);
        }
        files.put(UnitStore.GRAPH, graph);
        for (EntryPoint entry : entries) {
            files.put(entry.file(), entry.graph());
        }
        training.ifPresent(state -> files.put(UnitStore.INITIAL, state.initial()));
        return files;
    }

    /** Bytes of weights outside the graph file. */
    public long weightBytes() {
        long sum = 0;
        for (Blob weight : weights) {
            sum += weight.size();
        }
        return sum;
    }
}
