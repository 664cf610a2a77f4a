package io.knabla.controller.cli.verbs.model;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.knabla.controller.cli.CliFailure;
import io.knabla.controller.cli.ExitCodes;
import io.knabla.controller.cli.WritesFile;
import io.knabla.controller.cli.client.PlatformClient;
import io.knabla.controller.cli.print.Amounts;
import io.knabla.controller.cli.print.Documents;
import io.knabla.controller.cli.print.Progress;
import io.knabla.controller.cli.verbs.context.Context;
import io.knabla.controller.cli.verbs.context.NameArgument;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Downloads the model of a version from the platform. */
@Command(
        name = "export",
        description = "Writes the model of a version, with its current weights (of a training step: the trained"
                + " ones), as a file that any ONNX tool can open. If the file's name ends with .safetensors, writes the"
                + " weights alone, under the names that they have in the model.",
        footer = {
            "",
            "Examples:",
            "  ./knabla export digits -o digits.onnx",
            "  ./knabla export digits-training --version 2 -o trained.onnx",
            "  ./knabla export characters-training -o functions/samples/characters/model/model.safetensors"
        })
public final class ExportCommand implements Callable<Integer>, WritesFile {
    /** What is written; the end of the file's name chooses. */
    private enum Form {
        model,
        weights;

        static Form of(Path file) {
            return file.toString().toLowerCase(Locale.ROOT).endsWith(".safetensors") ? weights : model;
        }
    }

    @Mixin
    NameArgument function;

    @Option(names = "--version", paramLabel = "V", description = "Which version (default: the newest that is ready).")
    Integer version;

    private final Context context;

    public ExportCommand(Context context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        Path file = context.options()
                .file()
                .orElseThrow(() -> CliFailure.usageError(
                        "say where to write the model: -o model.onnx; or the weights alone: -o model.safetensors"));
        PlatformClient platform = context.platform();
        String path = PlatformClient.functionPath(context.namespace(), function.name);
        int number = version == null ? newest(platform, path) : version;
        long size = download(platform, "%s/versions/%d/%s".formatted(path, number, Form.of(file)), file);
        report(file, number, size);
        return ExitCodes.SUCCESS;
    }

    private static int newest(PlatformClient platform, String path) {
        var view = platform.get(path);
        return view.path("readyVersion").asInt(view.path("latestVersion").asInt());
    }

    /** Downloads to a temporary name first: a broken connection leaves no partial model. */
    private long download(PlatformClient platform, String path, Path file) {
        Path half = file.resolveSibling("." + file.getFileName() + ".part");
        try {
            var download = platform.download(path, "application/octet-stream");
            var progress = new Progress(context.console(), context.options().quiet);
            try (var bar = progress.downloading(file.getFileName().toString(), download.size());
                    InputStream in = bar.watch(download.in())) {
                Files.copy(in, half, StandardCopyOption.REPLACE_EXISTING);
            }
            Files.move(half, file, StandardCopyOption.REPLACE_EXISTING);
            return Files.size(file);
        } catch (IOException failed) {
            throw CliFailure.cannotWrite(file, failed);
        } finally {
            half.toFile().delete();
        }
    }

    private void report(Path file, int number, long size) {
        ObjectNode document = Documents.JSON
                .createObjectNode()
                .put("name", function.name)
                .put("namespace", context.namespace())
                .put("version", number)
                .put("file", file.toString())
                .put("bytes", size);
        switch (context.format()) {
            case json -> context.console().out().println(Documents.json(document));
            case yaml -> context.console().out().println(Documents.yaml(document));
            case name -> context.console().print("%s", file);
            case table, wide ->
                context.console()
                        .print(
                                "%s of version %d of %s written to %s (%s)",
                                Form.of(file), number, function.name, file, Amounts.bytes(size));
        }
    }
}
