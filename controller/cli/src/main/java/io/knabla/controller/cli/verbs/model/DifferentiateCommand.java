package io.knabla.controller.cli.verbs.model;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.knabla.controller.cli.CliFailure;
import io.knabla.controller.cli.ExitCodes;
import io.knabla.controller.cli.WritesFile;
import io.knabla.controller.cli.print.Amounts;
import io.knabla.controller.cli.print.Documents;
import io.knabla.controller.cli.print.Table;
import io.knabla.controller.cli.verbs.context.Context;
import io.knabla.functions.compiler.autodiff.GradientRequest;
import io.knabla.functions.compiler.autodiff.options.Gradient;
import io.knabla.functions.packaging.DerivedGraph;
import io.knabla.functions.packaging.DerivedGraph.Derived;
import io.knabla.functions.packaging.ModelFiles;
import io.knabla.functions.spec.FunctionYaml;
import io.knabla.functions.spec.Parsed;
import io.knabla.functions.unit.TensorSpec;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Writes a derivative of a model as an ONNX file, without a platform and without running it. */
@Command(
        name = "differentiate",
        description = "Writes the backward graph of a model as an ONNX file of standard operators, which any ONNX"
                + " tool can open. Does not run or send anything.",
        footer = {
            "",
            "Examples:",
            "  ./knabla differentiate functions/samples/digits/digits.onnx --loss logits \\",
            "      --loss-function SoftmaxCrossEntropy --target label --wrt inputs -o grad.onnx",
            "  ./knabla differentiate model.onnx --loss loss --kind hvp -o hvp.onnx"
        })
public final class DifferentiateCommand implements Callable<Integer>, WritesFile {
    /** Kinds of derivative. */
    enum Kind {
        value_and_grad("value-and-grad", GradientRequest.Kind.GRADIENT, ""),
        vjp("vjp", GradientRequest.Kind.GRADIENT, "vjp"),
        jvp("jvp", GradientRequest.Kind.GRADIENT, "jvp"),
        hvp("hvp", GradientRequest.Kind.HVP, ""),
        jacobian("jacobian", GradientRequest.Kind.JACOBIAN, ""),
        training_step("training-step", GradientRequest.Kind.TRAINING_STEP, "");

        private final String word;
        private final GradientRequest.Kind plan;
        private final String entry;

        Kind(String word, GradientRequest.Kind plan, String entry) {
            this.word = word;
            this.plan = plan;
            this.entry = entry;
        }

        @Override
        public String toString() {
            return word;
        }
    }

    @Parameters(index = "0", paramLabel = "MODEL", description = "An ONNX file.")
    Path model;

    @Option(
            names = "--kind",
            paramLabel = "KIND",
            defaultValue = "value-and-grad",
            description = "One of ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
    Kind kind;

    @ArgGroup(validate = false, heading = "What to differentiate:%n")
    GradientOptions gradient = new GradientOptions();

    private final Context context;

    public DifferentiateCommand(Context context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        Path file = context.options()
                .file()
                .orElseThrow(() -> CliFailure.usageError("say where to write the graph: -o grad.onnx"));
        long began = System.nanoTime();
        switch (derived()) {
            case Derived.Refused(var faults) ->
                throw CliFailure.withFaults("%s cannot be differentiated:".formatted(model), faults);
            case Derived.Done done -> {
                write(done, file);
                done.warnings().forEach(warning -> context.note("note: %s", warning));
                print(done, file, (System.nanoTime() - began) / 1e9);
            }
        }
        return ExitCodes.SUCCESS;
    }

    private Derived derived() {
        try {
            return DerivedGraph.of(
                    ModelFiles.beside(model), new GradientRequest(kind.plan, gradientSpec()), kind.entry);
        } catch (UncheckedIOException unreadable) {
            throw CliFailure.because(unreadable, "cannot read %s: %s", model, unreadable.getMessage());
        }
    }

    /** Parses the options as a function.yaml, which gives the same checks and messages. */
    private Gradient gradientSpec() {
        ObjectNode wish = gradient.document()
                .orElseThrow(
                        () -> CliFailure.usageError("say with --loss OUTPUT which output of the model is the loss."));
        boolean training = kind == Kind.training_step;
        if (training && !wish.has("optimizer")) {
            wish.putObject("optimizer").put("type", "SGD").put("learningRate", 0.01);
        }
        ObjectNode document = Documents.JSON.createObjectNode();
        document.put("apiVersion", "knabla.dev/v1alpha1").put("kind", "Function");
        document.putObject("metadata").put("name", "graph");
        document.putObject("spec")
                .put("type", training ? "TrainingStep" : "Gradient")
                .put("model", "model.onnx")
                .set("gradient", wish);
        return switch (FunctionYaml.parse(document.toString())) {
            case Parsed.Invalid(var faults) -> throw CliFailure.withFaults("the options are not valid:", faults);
            case Parsed.Valid(var resource) -> resource.spec().gradient().orElseThrow();
        };
    }

    private static void write(Derived.Done done, Path file) {
        try (OutputStream out = Files.newOutputStream(file)) {
            done.model().writeTo(out);
        } catch (IOException failed) {
            throw CliFailure.cannotWrite(file, failed);
        }
    }

    private void print(Derived.Done done, Path file, double seconds) {
        switch (context.format()) {
            case json -> context.console().out().println(Documents.json(report(done, file)));
            case yaml -> context.console().out().println(Documents.yaml(report(done, file)));
            case name -> context.console().print("%s", file);
            case table, wide -> {
                var table = Table.of("", "NAME", "TYPE", "SHAPE");
                done.inputs().forEach(spec -> row(table, "in", spec));
                done.outputs().forEach(spec -> row(table, "out", spec));
                context.console().print("%s", table);
                context.console()
                        .print(
                                "%s of %s written to %s: %d operators, %s, in %.1f s",
                                kind,
                                model.getFileName(),
                                file,
                                done.model().getGraph().getNodeCount(),
                                Amounts.bytes(done.model().getSerializedSize()),
                                seconds);
            }
        }
    }

    private static void row(Table table, String side, TensorSpec spec) {
        table.row(side, spec.name(), spec.datatype(), shape(spec));
    }

    /** Dimensions, by name where the model has names: {@code [batch, 10]}. */
    private static List<String> shape(TensorSpec spec) {
        return java.util.stream.IntStream.range(0, spec.shape().size())
                .mapToObj(i -> spec.symbols().get(i).isEmpty()
                        ? spec.shape().get(i).toString()
                        : spec.symbols().get(i))
                .toList();
    }

    private ObjectNode report(Derived.Done done, Path file) {
        ObjectNode report = Documents.JSON
                .createObjectNode()
                .put("file", file.toString())
                .put("kind", kind.toString())
                .put("operators", done.model().getGraph().getNodeCount())
                .put("bytes", done.model().getSerializedSize());
        report.set("inputs", Documents.JSON.valueToTree(done.inputs()));
        report.set("outputs", Documents.JSON.valueToTree(done.outputs()));
        report.set("warnings", Documents.JSON.valueToTree(done.warnings()));
        return report;
    }
}
