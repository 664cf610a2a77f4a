package io.knabla.runtime.protocol;

import static io.knabla.runtime.protocol.ProtocolException.bad;

import io.knabla.functions.unit.GraphManifest;
import io.knabla.functions.unit.LabelRange;
import io.knabla.functions.unit.TensorSpec;
import io.knabla.functions.unit.TrainingSpec;
import io.knabla.runtime.engine.Elements;
import io.knabla.runtime.engine.Tensor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** The model's inputs and outputs; validates every request before it reaches the engine. */
public final class Signature {
    private final List<TensorSpec> inputs;
    private final List<TensorSpec> outputs;

    /** Defaults of optional inputs; null if all inputs are required. */
    private final InputDefaults settings;

    /** Allowed class indices of the label input; null if there is none. */
    private final LabelRange labels;

    public Signature(GraphManifest manifest) {
        this.inputs = manifest.inputs();
        this.outputs = manifest.outputs();
        this.settings = manifest.training().isEmpty() && manifest.defaults().isEmpty()
                ? null
                : new InputDefaults(
                        manifest.training().map(TrainingSpec::settings).orElse(List.of()), manifest.defaults());
        this.labels = manifest.labels().orElse(null);
    }

    public List<TensorSpec> inputs() {
        return inputs;
    }

    public List<TensorSpec> outputs() {
        return outputs;
    }

    boolean hasInput(String name) {
        return inputs.stream().anyMatch(input -> input.name().equals(name));
    }

    int inputIndex(String name) {
        return index(inputs, name, "input");
    }

    /** Whether a request may leave this input out. */
    boolean isOptional(TensorSpec input) {
        return settings != null && settings.value(input) != null;
    }

    int outputIndex(String name) {
        return index(outputs, name, "output");
    }

    /** A linear scan: models have few tensors. */
    private static int index(List<TensorSpec> specs, String name, String kind) {
        for (int i = 0; i < specs.size(); i++) {
            if (specs.get(i).name().equals(name)) {
                return i;
            }
        }
        throw bad("unknown %s '%s'; this model has %s", kind, cut(name), names(specs));
    }

    private static String names(List<TensorSpec> specs) {
        return specs.stream().map(spec -> "'" + spec.name() + "'").collect(Collectors.joining(", "));
    }

    static String cut(String text) {
        return text.length() <= 80 ? text : text.substring(0, 80) + "…";
    }

    /** Rejects a shape that the model does not allow. */
    static void checkShape(TensorSpec spec, long[] shape) {
        List<Long> allowed = spec.shape();
        boolean fits = shape.length == allowed.size();
        for (int d = 0; fits && d < shape.length; d++) {
            fits = allowed.get(d) < 0 || allowed.get(d) == shape[d];
        }
        if (!fits) {
            throw bad(
                    "input '%s' has shape %s; this model takes %s (-1 = any size)",
                    spec.name(), Arrays.toString(shape), allowed);
        }
    }

    /**
     * Completes the inputs with defaults, in the model's order. Rejects missing inputs, named dimensions of unequal
     * sizes and invalid labels.
     */
    List<Tensor> complete(Tensor[] given) {
        for (int i = 0; i < given.length; i++) {
            if (given[i] == null && settings != null) {
                given[i] = settings.value(inputs.get(i));
            }
            if (given[i] == null) {
                throw bad(
                        "input '%s' is missing; this model takes %s",
                        inputs.get(i).name(), names(inputs));
            }
        }
        checkSymbols(given);
        if (labels != null) {
            checkLabels(given[inputIndex(labels.input())]);
        }
        return Arrays.asList(given);
    }

    private void checkLabels(Tensor given) {
        for (int i = 0; i < given.elements(); i++) {
            long label = Elements.integer(given.type(), given.data(), i);
            if (!labels.allow(label)) {
                throw bad(
                        "input '%s' holds %d at element %d; allowed are the classes %s",
                        labels.input(), label, i, labels.allowed());
            }
        }
    }

    private void checkSymbols(Tensor[] given) {
        var symbols = new ArrayList<String>();
        var sizes = new ArrayList<Long>();
        var owners = new ArrayList<String>();
        for (int i = 0; i < given.length; i++) {
            List<String> names = inputs.get(i).symbols();
            for (int d = 0; d < names.size(); d++) {
                String symbol = names.get(d);
                if (symbol.isEmpty()) {
                    continue;
                }
                long size = given[i].shape()[d];
                int known = symbols.indexOf(symbol);
                if (known < 0) {
                    symbols.add(symbol);
                    sizes.add(size);
                    owners.add(inputs.get(i).name());
                } else if (sizes.get(known) != size) {
                    throw bad(
                            "dimension '%s' is %d in input '%s' but %d in input '%s'; the model calls them by one name, so they must be equal. If they need not, write -1 for them under spec.shapes of function.yaml",
                            symbol,
                            sizes.get(known),
                            owners.get(known),
                            size,
                            inputs.get(i).name());
                }
            }
        }
    }
}
