package io.knabla.controller.cli.verbs.invoke;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.knabla.controller.cli.CliFailure;
import io.knabla.controller.cli.ExitCodes;
import io.knabla.controller.cli.client.FunctionEndpoint;
import io.knabla.controller.cli.client.Invocation;
import io.knabla.controller.cli.print.Amounts;
import io.knabla.controller.cli.print.Documents;
import io.knabla.controller.cli.print.OutputFormatter;
import io.knabla.controller.cli.verbs.context.Context;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Calls a function with a file, or with each file of a folder: a request, JSON values, an array or a picture. */
@Command(
        name = "invoke",
        description = "Calls a function with a file: an Open Inference Protocol request, plain JSON values, .npy,"
                + " or a picture for a model that takes one. Shows outputs and timing.",
        footer = {
            "",
            "Examples:",
            "  ./knabla invoke digits --input functions/samples/digits/images/07-3.png",
            "  ./knabla invoke digits --input functions/samples/digits/images     (each file in turn, by name)",
            "  echo '{\"INPUT0\": [1,2], \"INPUT1\": [3,4]}' | ./knabla invoke add --input -",
            "  ./knabla invoke digits --input 3.png --context test --ingress http://127.0.0.1:18080"
        })
public final class InvokeCommand implements Callable<Integer> {
    @Mixin
    CalledFunction function;

    @Option(
            names = {"-i", "--input"},
            required = true,
            paramLabel = "FILE",
            description = "The input; - reads standard input, a folder stands for each of its files in turn.")
    String input;

    private final Context context;

    public InvokeCommand(Context context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        List<InputFile> files = InputFile.of(input);
        FunctionEndpoint endpoint = function.endpoint(context);
        for (InputFile file : files) {
            print(call(endpoint, file), file.nameInFolder());
        }
        return ExitCodes.SUCCESS;
    }

    private Invocation call(FunctionEndpoint endpoint, InputFile file) {
        try {
            return Invocation.infer(endpoint, function.name, file.read());
        } catch (CliFailure failed) {
            throw file.nameInFolder().isEmpty() ? failed : failed.at(file.path());
        }
    }

    /** @param file name of the input in its folder; empty if it was named itself */
    private void print(Invocation call, String file) {
        switch (context.format()) {
            case json -> context.console().out().println(Documents.json(document(call, file)));
            case yaml ->
                context.console().out().println((file.isEmpty() ? "" : "---\n") + Documents.yaml(document(call, file)));
            case name, table, wide -> {
                if (!file.isEmpty()) {
                    context.console().print("%s", file);
                }
                show(call);
            }
        }
    }

    private void show(Invocation call) {
        OutputFormatter.lines(call.answer()).forEach(line -> context.console().print("%s", line));
        context.note(
                "version %s%s, %s%s",
                call.version(),
                call.start().isEmpty() ? "" : ", start " + call.start(),
                Amounts.millis(call.milliseconds()),
                call.phases().isEmpty() ? "" : " (" + OutputFormatter.phases(call.phases()) + ")");
    }

    /** The response body and, under {@code knabla}, the values from its headers. */
    private static ObjectNode document(Invocation call, String file) {
        ObjectNode document = call.answer().deepCopy();
        ObjectNode own = document.putObject("knabla");
        if (!file.isEmpty()) {
            own.put("input", file);
        }
        own.put("start", call.start()).put("version", call.version());
        own.put("milliseconds", Math.round(call.milliseconds() * 1000) / 1000.0);
        own.set("phases", Documents.JSON.valueToTree(call.phases()));
        return document;
    }
}
