package io.knabla.controller.cli.verbs;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.knabla.controller.cli.CliFailure;
import io.knabla.controller.cli.ExitCodes;
import io.knabla.controller.cli.client.FunctionEndpoint;
import io.knabla.controller.cli.client.Invocation;
import io.knabla.controller.cli.print.Amounts;
import io.knabla.controller.cli.print.Documents;
import io.knabla.controller.cli.print.OutputFormatter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Calls a function with a file: a request, JSON values, an array or a picture. */
@Command(
        name = "invoke",
        description = "Calls a function with a file: an Open Inference Protocol request, plain JSON values, .npy,"
                + " or a picture for a model that takes one. Shows outputs and timing.",
        footer = {
            "",
            "Examples:",
            "  ./knabla invoke digits --input functions/samples/digits/images/07-3.png",
            "  echo '{\"INPUT0\": [1,2], \"INPUT1\": [3,4]}' | ./knabla invoke add --input -",
            "  ./knabla invoke digits --input 3.png --context test --ingress http://127.0.0.1:18080"
        })
final class InvokeCommand implements Callable<Integer> {
    @Mixin
    NameArgument function;

    @Option(
            names = {"-i", "--input"},
            required = true,
            paramLabel = "FILE",
            description = "The input; - reads standard input.")
    String input;

    @Option(
            names = "--ingress",
            paramLabel = "URL",
            description = "With --context: the URL of the cluster's ingress, for functions whose host names do not"
                    + " resolve (default: KNABLA_INGRESS, else the function's URL).")
    String ingress;

    private final Context context;

    InvokeCommand(Context context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        byte[] body = read(input);
        var call = Invocation.infer(root(), function.name, body);
        switch (context.format()) {
            case json -> context.console().out().println(Documents.json(document(call)));
            case yaml -> context.console().out().println(Documents.yaml(document(call)));
            case name, table, wide -> show(call);
        }
        return ExitCodes.SUCCESS;
    }

    private FunctionEndpoint root() {
        return context.kube()
                .map(cluster -> new FunctionEndpointResolver(context, cluster).resolve(function.name, ingress))
                .orElseGet(() -> context.platform().endpoint(context.namespace(), function.name));
    }

    static byte[] read(String path) {
        try {
            return path.equals("-") ? System.in.readAllBytes() : Files.readAllBytes(Path.of(path));
        } catch (IOException unreadable) {
            String trouble = Files.isDirectory(Path.of(path))
                    ? "it is a folder"
                    : "there is no such file, or no permission to read it";
            throw CliFailure.because(unreadable, "cannot read %s: %s", path, trouble);
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
    private static ObjectNode document(Invocation call) {
        ObjectNode document = call.answer().deepCopy();
        ObjectNode own = document.putObject("knabla");
        own.put("start", call.start()).put("version", call.version());
        own.put("milliseconds", Math.round(call.milliseconds() * 1000) / 1000.0);
        own.set("phases", Documents.JSON.valueToTree(call.phases()));
        return document;
    }
}
