package io.knabla.controller.cli.verbs.model;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.knabla.controller.cli.CliFailure;
import io.knabla.controller.cli.ExitCodes;
import io.knabla.controller.cli.Settings;
import io.knabla.controller.cli.StoredMachineProfile;
import io.knabla.controller.cli.models.FetchedModel;
import io.knabla.controller.cli.models.FunctionFile;
import io.knabla.controller.cli.print.Amounts;
import io.knabla.controller.cli.print.Console;
import io.knabla.controller.cli.print.Documents;
import io.knabla.controller.cli.print.Progress;
import io.knabla.controller.cli.print.Table;
import io.knabla.controller.cli.verbs.context.Context;
import io.knabla.controller.cli.verbs.cost.CostForecasts;
import io.knabla.controller.home.Home;
import io.knabla.functions.Fault;
import io.knabla.functions.compiler.analyze.Analysis;
import io.knabla.functions.compiler.analyze.Machine;
import io.knabla.functions.compiler.autodiff.GradientRequest;
import io.knabla.functions.compiler.pool.PoolRule;
import io.knabla.functions.decoder.DecoderAnalysis;
import io.knabla.functions.decoder.EncoderAnalysis;
import io.knabla.functions.decoder.folder.ModelFolder;
import io.knabla.functions.packaging.GradientRequests;
import io.knabla.functions.packaging.ModelFiles;
import io.knabla.functions.packaging.Packager;
import io.knabla.functions.packaging.UnitPlacements;
import io.knabla.storage.ExternalAddress;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Function;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Estimates the cost of a model without a platform and without running it. */
@Command(
        name = "analyze",
        description = "Estimates the cost of one call of a model: FLOPs, bytes and memory, per operator type (-o"
                + " wide: per operator) and in total; of a language model or an encoder in a Hugging Face folder, the cost of a token."
                + " Does not run or send anything.",
        footer = {
            "",
            "Examples:",
            "  ./knabla analyze functions/samples/digits/digits.onnx",
            "  ./knabla analyze functions/samples/digits/digits.onnx --rate 20/s",
            "  ./knabla analyze functions/samples/digits/digits.onnx -f functions/samples/digits-gradient/function.yaml",
            "  ./knabla analyze Qwen3-0.6B/"
        })
public final class AnalyzeCommand implements Callable<Integer> {
    @Parameters(
            index = "0",
            paramLabel = "MODEL",
            description =
                    "An ONNX file, or s3://bucket/key, read with your own credentials; or a folder with the config.json and"
                            + " safetensors of a language model or an encoder.")
    String model;

    @Option(
            names = "--rate",
            paramLabel = "N/s",
            description =
                    "The expected requests a second (/s), minute (/m) or hour (/h): choose the pool for them, and forecast"
                            + " what they cost a month on nodes like the platform's, which is asked for it.")
    String rate;

    @Option(
            names = {"-f", "--file"},
            paramLabel = "FILE",
            description =
                    "A function.yaml with spec.gradient: also say which nodes of its gradient graphs a GPU leaves to the CPU.")
    String file;

    private final Context context;

    public AnalyzeCommand(Context context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        boolean local = !ExternalAddress.isExternal(model);
        return local && ModelFolder.isModel(Path.of(model)) ? analyzeFolder(Path.of(model)) : analyzeFile();
    }

    private int analyzeFolder(Path folder) {
        if (rate != null) {
            throw CliFailure.usageError("--rate forecasts calls of ONNX models; %s is a folder", model);
        }
        try {
            if (ModelFolder.isEncoder(folder)) {
                encoder(folder);
            } else {
                decoder(folder);
            }
            return ExitCodes.SUCCESS;
        } catch (IOException unreadable) {
            throw CliFailure.because(unreadable, "cannot read %s: %s", model, unreadable.getMessage());
        }
    }

    private void decoder(Path folder) throws IOException {
        switch (DecoderAnalysis.of(folder)) {
            case DecoderAnalysis.Result.Refused(var faults) -> throw unpackaged(faults);
            case DecoderAnalysis.Result.Done(var analysis) ->
                new DecoderReport(context, analysis, machine()).print(name(folder));
        }
    }

    private void encoder(Path folder) throws IOException {
        switch (EncoderAnalysis.of(folder)) {
            case EncoderAnalysis.Result.Refused(var faults) -> throw unpackaged(faults);
            case EncoderAnalysis.Result.Done(var analysis) ->
                new EncoderReport(context, analysis, machine()).print(name(folder));
        }
    }

    private static String name(Path folder) {
        return folder.toAbsolutePath().getFileName().toString();
    }

    private CliFailure unpackaged(List<Fault> faults) {
        return CliFailure.withFaults("%s cannot be packaged:".formatted(model), faults);
    }

    private int analyzeFile() {
        return switch (analyzed()) {
            case Packager.Analyzed.Refused(var faults) -> throw unpackaged(faults);
            case Packager.Analyzed.Done(var analysis, var warnings) -> {
                warnings.forEach(warning -> context.note("note: %s", warning));
                double calls = rate == null
                        ? PoolRule.UNKNOWN_RATE
                        : CostForecasts.perSecond(rate).doubleValue();
                Analysis here = analysis.forMachine(machine(), calls);
                Optional<JsonNode> forecast =
                        Optional.ofNullable(rate).map(text -> CostForecasts.ask(context, here, text));
                print(here, placement(), forecast);
                yield ExitCodes.SUCCESS;
            }
        };
    }

    /** The measured speed of this machine, for a replica without a CPU request. */
    private Machine machine() {
        var measured = StoredMachineProfile.read(Settings.ofProcess());
        if (measured.isEmpty()) {
            context.note(
                    "assumed: a machine of %.0f GFLOP/s and %.0f GB/s, because this one has not been measured;"
                            + " ./knabla up measures it after the first request about a function",
                    Machine.ASSUMED.flops() / 1e9, Machine.ASSUMED.bytesPerSecond() / 1e9);
        }
        return measured.orElse(Machine.ASSUMED);
    }

    private Packager.Analyzed analyzed() {
        return read(Packager::analyze);
    }

    private PlacementReport placement() {
        Optional<GradientRequest> plan = Optional.ofNullable(file)
                .flatMap(path -> GradientRequests.of(FunctionFile.read(path, context.options().namespace)
                        .getFirst()
                        .spec()));
        return switch (read(files -> UnitPlacements.of(files, plan))) {
            case UnitPlacements.Answer.Refused(var faults) -> throw unpackaged(faults);
            case UnitPlacements.Answer.Told(var graphs) -> new PlacementReport(graphs);
        };
    }

    private <T> T read(Function<ModelFiles, T> reader) {
        try {
            if (!ExternalAddress.isExternal(model)) {
                return reader.apply(ModelFiles.beside(Path.of(model)));
            }
            try (FetchedModel fetched = fetched()) {
                return reader.apply(ModelFiles.beside(fetched.file()));
            }
        } catch (UncheckedIOException unreadable) {
            throw CliFailure.because(unreadable, "cannot read %s: %s", model, unreadable.getMessage());
        }
    }

    private FetchedModel fetched() {
        var settings = Settings.ofProcess();
        var access = settings.store(Optional.empty());
        return FetchedModel.download(
                model,
                access.environment(),
                new Home(settings.home()).run(),
                new Progress(context.console(), context.options().quiet));
    }

    private void print(Analysis analysis, PlacementReport placement, Optional<JsonNode> forecast) {
        Console console = context.console();
        switch (context.format()) {
            case json -> console.out().println(Documents.json(document(analysis, placement, forecast)));
            case yaml -> console.out().println(Documents.yaml(document(analysis, placement, forecast)));
            case name -> console.print("%s", model.substring(model.lastIndexOf('/') + 1));
            case table -> {
                console.print("%s", byKind(analysis));
                totals(analysis);
                placement.print(context);
                pools(analysis).print(context);
                forecast.ifPresent(answer -> CostForecasts.print(context, answer));
            }
            case wide -> {
                console.print("%s", byOperator(analysis));
                totals(analysis);
                placement.print(context);
                pools(analysis).print(context);
                forecast.ifPresent(answer -> CostForecasts.print(context, answer));
            }
        }
    }

    private static PoolReport pools(Analysis analysis) {
        return new PoolReport(analysis.callWork(), StoredMachineProfile.device(Settings.ofProcess()));
    }

    private static ObjectNode document(Analysis analysis, PlacementReport placement, Optional<JsonNode> forecast) {
        ObjectNode document = Documents.JSON.valueToTree(analysis);
        document.set("gpu", placement.document());
        document.set("pools", pools(analysis).document());
        forecast.ifPresent(answer -> document.set("forecast", answer));
        return document;
    }

    private static Table byKind(Analysis analysis) {
        var table = Table.of("OPERATOR", ">COUNT", ">FLOPS", ">SHARE", ">READ", ">WRITTEN");
        for (Analysis.OpSummary op : analysis.byOp()) {
            table.row(
                    op.op(),
                    op.count(),
                    Amounts.count(op.flops()),
                    "%.1f %%".formatted(100.0 * op.flops() / Math.max(1, analysis.flops())),
                    Amounts.bytes(op.bytesRead()),
                    Amounts.bytes(op.bytesWritten()));
        }
        return table;
    }

    private static Table byOperator(Analysis analysis) {
        var table = Table.of("NAME", "OPERATOR", "OUTPUT", ">FLOPS", ">READ", ">WRITTEN", ">FLOP/BYTE");
        for (Analysis.OperatorCost op : analysis.operators()) {
            table.row(
                    op.name(),
                    op.op(),
                    op.outputShape(),
                    Amounts.count(op.flops()),
                    Amounts.bytes(op.bytesRead()),
                    Amounts.bytes(op.bytesWritten()),
                    "%.2f".formatted(op.arithmeticIntensity()));
        }
        return table;
    }

    private void totals(Analysis analysis) {
        Analysis.Suggestion suggestion = analysis.suggestion();
        List<String[]> lines = List.of(
                line("FLOPs", Amounts.count(analysis.flops())),
                line("Parameters", Amounts.count(analysis.parameters())),
                line("Weights", Amounts.bytes(analysis.weightBytes())),
                line("Bytes read", Amounts.bytes(analysis.bytesRead())),
                line("Bytes written", Amounts.bytes(analysis.bytesWritten())),
                line("Peak memory", Amounts.bytes(analysis.peakMemoryBytes())),
                line("Intensity", String.format(Locale.ROOT, "%.2f FLOP/byte", analysis.arithmeticIntensity())),
                line(
                        "Time of a call",
                        "%s on %s; a roofline estimate"
                                .formatted(
                                        Amounts.millis(
                                                1000 * analysis.prediction().seconds()),
                                        analysis.prediction().machine())),
                line(
                        "Fits",
                        "pool %s, %d m CPU, %s: %s"
                                .formatted(
                                        suggestion.pool(),
                                        suggestion.milliCpu(),
                                        Amounts.bytes(suggestion.memoryBytes()),
                                        suggestion.reason())));
        context.console().print("");
        lines.forEach(line -> context.console().print("%-15s %s", line[0] + ":", line[1]));
        analysis.assumptions().forEach(text -> context.note("assumed: %s", text));
        if (!analysis.unknownOps().isEmpty()) {
            context.note("operators without a known FLOP count: %s", analysis.unknownOps());
        }
    }

    private static String[] line(String label, String value) {
        return new String[] {label, value};
    }
}
