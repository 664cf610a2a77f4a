package io.knabla.controller.cli.verbs.deploy;

import io.knabla.controller.cli.CliFailure;
import io.knabla.controller.cli.models.FunctionFile;
import io.knabla.controller.cli.print.Documents;
import io.knabla.controller.cli.verbs.context.Context;
import io.knabla.functions.Fault;
import io.knabla.functions.packaging.DerivedGraph;
import io.knabla.functions.packaging.DerivedGraph.Derived;
import io.knabla.functions.packaging.GradientRequests;
import io.knabla.functions.packaging.ModelFiles;
import io.knabla.functions.packaging.Packager;
import io.knabla.functions.packaging.Packager.Analyzed;
import io.knabla.functions.spec.FunctionSpec;
import io.knabla.functions.spec.SpecWarnings;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Checks a function as a deploy would, on this machine and without a platform: its file, and its model as far as that
 * is here. Only the engine does not run.
 */
final class DryRun {
    private final Context context;

    DryRun(Context context) {
        this.context = context;
    }

    /** Prints that the function is right; throws {@link CliFailure} with all faults if it is not. */
    void check(FunctionFile function) {
        Optional<Path> model = function.model().map(local -> local.files().get(local.digest()));
        SpecWarnings.of(function.spec()).forEach(context::warn);
        model.ifPresent(file -> check(file, function.spec(), function.name()));
        String checked = model.isPresent() ? "right" : "right as a file; its model is not on this machine";
        switch (context.format()) {
            case json -> context.console().out().println(Documents.json(answer(function)));
            case yaml -> context.console().out().println(Documents.yaml(answer(function)));
            case name -> context.console().print("%s", function.name());
            case table, wide ->
                context.console()
                        .print(
                                "function %s/%s is %s; nothing was deployed",
                                function.namespace(), function.name(), checked);
        }
    }

    private static Map<String, String> answer(FunctionFile function) {
        return Map.of("name", function.name(), "namespace", function.namespace(), "result", "valid");
    }

    private void check(Path file, FunctionSpec spec, String name) {
        if (spec.takesText()) {
            // Its folder was checked when the file was read.
            return;
        }
        ModelFiles files = ModelFiles.beside(file).with(spec.modelInterface());
        GradientRequests.of(spec)
                .map(plan -> switch (DerivedGraph.of(files, plan, "")) {
                    case Derived.Refused(var faults) -> refused(name, faults);
                    case Derived.Done done -> done.warnings();
                })
                .orElseGet(() -> switch (Packager.analyze(files)) {
                    case Analyzed.Refused(var faults) -> refused(name, faults);
                    case Analyzed.Done(var _, var warnings) -> warnings;
                })
                .forEach(context::warn);
    }

    private static List<String> refused(String name, List<Fault> faults) {
        throw CliFailure.withFaults("the model of %s cannot be packaged:".formatted(name), faults);
    }
}
