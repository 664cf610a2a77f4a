package io.knabla.functions.packaging;

import ai.onnx.proto.OnnxMl.ModelProto;
import io.knabla.functions.Fault;
import io.knabla.functions.compiler.analyze.Analysis;
import io.knabla.functions.compiler.onnx.Model;
import io.knabla.functions.packaging.ModelCheck.Checked;
import io.knabla.functions.packaging.SignatureReader.Signature;
import io.knabla.functions.unit.Blob;
import io.knabla.functions.unit.ClassNames;
import io.knabla.functions.unit.InputDefault;
import io.knabla.functions.unit.LabelRange;
import io.knabla.functions.unit.Optimization;
import io.knabla.functions.unit.TensorSpec;
import io.knabla.functions.unit.TrainingSpec;
import io.knabla.functions.unit.TrainingSpec.Setting;
import io.knabla.functions.unit.TrainingSpec.StateTensor;
import io.knabla.storage.Content;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Complete content of a unit before it is stored.
 *
 * @param main the graph that answers {@code infer}
 * @param beside additional graphs
 * @param blobs weights of all graphs
 * @param defaults of inputs that a request may leave out
 */
record UnitParts(
        Part main,
        List<Part> beside,
        Map<Blob, TensorSource> blobs,
        List<State> state,
        Optional<LabelRange> labels,
        List<ClassNames> classes,
        Analysis analysis,
        List<String> warnings,
        List<InputDefault> defaults) {

    /** One graph of the unit; the name of the main one is ignored. */
    record Part(String name, ModelProto model, Signature signature, Optimization optimization) {}

    /** State of a training step and its initial values. */
    record State(List<StateTensor> tensors, Content initial, List<Setting> settings) {
        TrainingSpec toTraining(Blob stored) {
            return new TrainingSpec(tensors, stored, settings);
        }
    }

    /** Result of preparing a unit. */
    sealed interface Prepared {
        record Ready(UnitParts parts) implements Prepared {}

        record Refused(List<Fault> faults) implements Prepared {}
    }

    /** Creates the content of an inference unit: one graph and its weights. */
    static UnitParts plain(Checked.Good good) {
        return new UnitParts(
                new Part("", good.split().model(), good.signature(), Optimization.FULL),
                List.of(),
                good.split().blobs(),
                List.of(),
                Optional.empty(),
                good.classes(),
                good.analysis(),
                good.warnings(),
                good.defaults());
    }

    /** The same with these defaults of inputs. */
    UnitParts with(List<InputDefault> values) {
        return new UnitParts(main, beside, blobs, state, labels, classes, analysis, warnings, values);
    }

    /** Inputs and outputs of the main graph that callers see: all except the state. */
    Signature callerSignature() {
        Set<String> kept = new HashSet<>();
        state.forEach(s -> s.tensors().forEach(tensor -> {
            kept.add(tensor.input());
            kept.add(tensor.output());
        }));
        Signature all = main.signature();
        return new Signature(
                without(all.inputs(), kept).stream().map(this::described).toList(),
                without(all.outputs(), kept),
                all.batchable() && defaults.isEmpty());
    }

    /** The sizes of a default need not be those of the other inputs. */
    private TensorSpec described(TensorSpec input) {
        return defaults.stream().anyMatch(one -> one.input().equals(input.name()))
                ? new TensorSpec(
                        input.name(),
                        input.datatype(),
                        input.shape(),
                        Collections.nCopies(input.shape().size(), ""))
                : input;
    }

    private static List<TensorSpec> without(List<TensorSpec> specs, Set<String> names) {
        return specs.stream().filter(spec -> !names.contains(spec.name())).toList();
    }

    Model mainModel() {
        return Model.of(main.model());
    }
}
