package io.knabla.functions.packaging;

import io.knabla.functions.analyze.Analysis;
import io.knabla.functions.analyze.Analyzer;
import io.knabla.functions.graph.Model;
import io.knabla.functions.graph.ModelReader;
import io.knabla.functions.graph.TensorType;
import io.knabla.functions.graph.shape.Inference;
import io.knabla.functions.packaging.SignatureReader.Signature;
import io.knabla.functions.packaging.WeightSplitter.Split;
import io.knabla.functions.spec.Fault;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Checks whether a file is a model that can be packaged, and reports all faults at once. */
final class ModelCheck {
    private ModelCheck() {}

    /** Result of the check. */
    sealed interface Checked {
        record Good(Split split, Signature signature, Analysis analysis, List<String> warnings) implements Checked {}

        record Bad(List<Fault> faults) implements Checked {}
    }

    static Checked check(ModelFiles files) {
        if (!Files.isRegularFile(files.model())) {
            return new Checked.Bad(List.of(new Fault("model", "there is no file '" + files.model() + "'")));
        }
        try {
            return switch (ModelReader.read(files.model())) {
                case ModelReader.Read.Refused(var why) -> new Checked.Bad(List.of(new Fault("model", why)));
                case ModelReader.Read.Opened(var model) -> check(model, files);
            };
        } catch (IOException unreadable) {
            throw new UncheckedIOException("cannot read the model " + files.model(), unreadable);
        }
    }

    static Checked check(Model model, ModelFiles files) {
        var faults = new Faults();
        var warnings = new ArrayList<String>();
        VersionCheck.check(model, faults, warnings);
        StructureCheck.check(model, faults);
        Split split = WeightSplitter.split(model.proto(), files, faults);
        // The split model, because it has every small constant in the graph and no large one.
        Model ready = Model.of(split.model());
        Signature signature = signature(ready, faults);
        if (!faults.none()) {
            return new Checked.Bad(faults.all());
        }
        warnings.addAll(Warnings.of(model));
        return new Checked.Good(split, signature, Analyzer.analyze(ready), List.copyOf(warnings));
    }

    /** Infers shapes only if the graph is valid and outputs lack shapes. */
    static Signature signature(Model model, Faults faults) {
        Map<String, TensorType> types =
                faults.none() && SignatureReader.leavesShapesOut(model.proto().getGraph())
                        ? Inference.types(model)
                        : Map.of();
        return SignatureReader.read(model.proto().getGraph(), types, faults);
    }
}
