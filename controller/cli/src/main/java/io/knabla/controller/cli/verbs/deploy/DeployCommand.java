package io.knabla.controller.cli.verbs.deploy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.knabla.controller.cli.CliFailure;
import io.knabla.controller.cli.ExitCodes;
import io.knabla.controller.cli.models.FunctionFile;
import io.knabla.controller.cli.print.Documents;
import io.knabla.controller.cli.print.Progress;
import io.knabla.controller.cli.verbs.context.Context;
import io.knabla.controller.cli.verbs.cost.CostForecasts;
import io.knabla.controller.cli.verbs.model.GradientOptions;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Deploys a function from a file and waits until it is ready. */
@Command(
        name = "deploy",
        description = "Deploys a function from a function.yaml, or from a name and a model: uploads the files that"
                + " the platform lacks and waits until the function is ready. The last line is the URL.",
        footer = {
            "",
            "Examples:",
            "  ./knabla deploy -f functions/samples/digits/function.yaml",
            "  ./knabla deploy digits --model digits.onnx -o json",
            "  ./knabla deploy digits --model s3://models/digits.onnx --rate 20/s",
            "  ./knabla deploy -f function.yaml --context production     (a context of the kubeconfig)",
            "  ./knabla deploy -f function.yaml --no-traffic             (called by its own URL alone, then:)",
            "  ./knabla traffic digits 1=90 2=10",
            "  ./knabla deploy saliency --model digits.onnx --type Gradient --loss logits \\",
            "      --loss-function SoftmaxCrossEntropy --target label --wrt inputs"
        })
public final class DeployCommand implements Callable<Integer> {
    @Parameters(index = "0", arity = "0..1", paramLabel = "NAME", description = "With --model: the function's name.")
    String name;

    @Option(
            names = {"-f", "--file"},
            paramLabel = "FILE",
            description = "A function.yaml, with one function or several; - reads standard input.")
    String file;

    @Option(
            names = "--model",
            paramLabel = "FILE",
            description = "An ONNX model, or a folder of a language model or encoder, with NAME; or s3://bucket/key, or"
                    + " s3://bucket/folder/, which the platform reads with its own credentials.")
    String model;

    @Option(
            names = "--type",
            paramLabel = "TYPE",
            description = "With --model: Inference (default), Gradient or TrainingStep; of a folder Generation or"
                    + " Encoder (default: what its architecture is for).")
    String type;

    @ArgGroup(validate = false, heading = "With --type Gradient or TrainingStep:%n")
    GradientOptions gradient = new GradientOptions();

    @ArgGroup(validate = false, heading = "How much of the traffic the new version gets:%n")
    CanaryOptions canary = new CanaryOptions();

    @Option(
            names = "--wait",
            paramLabel = "SECONDS",
            defaultValue = "300",
            description = "How long to wait until ready (default: ${DEFAULT-VALUE}; 0: not at all).")
    long waitSeconds;

    @Option(
            names = "--rate",
            paramLabel = "N/s",
            description = "Also forecast what so many requests a second (/s), minute (/m) or hour (/h) cost a month;"
                    + " after a week, ./knabla cost compares.")
    String rate;

    @Option(names = "--dry-run", description = "Only check the file and the model on this machine; deploy nothing.")
    boolean dryRun;

    private final Context context;

    public DeployCommand(Context context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        List<FunctionFile> functions = functions();
        Optional<BigDecimal> perSecond = perSecond();
        canary.share();
        functions.forEach(dryRun ? new DryRun(context)::check : function -> deploy(function, perSecond));
        return ExitCodes.SUCCESS;
    }

    private void deploy(FunctionFile function, Optional<BigDecimal> perSecond) {
        long began = System.nanoTime();
        var progress = new Progress(context.console(), context.options().quiet);
        try {
            FunctionDeployer deployer = deployer(progress);
            ObjectNode deployed =
                    deployer.deploy(canary.applyTo(function, deployer), Duration.ofSeconds(Math.max(0, waitSeconds)));
            progress.done();
            canary.describe(deployed, function, deployer);
            double seconds = (System.nanoTime() - began) / 1e9;
            perSecond
                    .flatMap(load -> CostForecasts.keep(
                            context,
                            deployed.path("namespace").asText(),
                            deployed.path("name").asText(),
                            load))
                    .ifPresent(forecast -> deployed.set("forecast", forecast));
            print(deployed, seconds);
        } finally {
            progress.done();
        }
    }

    private Optional<BigDecimal> perSecond() {
        if (rate != null && waitSeconds <= 0) {
            throw CliFailure.usageError("--rate needs a function that is ready; leave out --wait %d", waitSeconds);
        }
        return Optional.ofNullable(rate).map(CostForecasts::perSecond);
    }

    private FunctionDeployer deployer(Progress progress) {
        return context.kube()
                .<FunctionDeployer>map(cluster -> new ClusterDeployer(context, cluster, progress))
                .orElseGet(() -> new ApiDeployer(context.platform(), progress));
    }

    private List<FunctionFile> functions() {
        boolean byModel = model != null && name != null;
        if ((file != null) == byModel || (file != null && (name != null || model != null))) {
            throw CliFailure.usageError("say what to deploy in one of two ways: deploy -f function.yaml, or deploy NAME"
                    + " --model FILE.");
        }
        if (file != null && gradient.document().isPresent()) {
            throw CliFailure.usageError(
                    "the file of -f defines the loss; --loss and the options below it need --model.");
        }
        return byModel
                ? List.of(FunctionFile.ofModel(
                        name, context.namespace(), type, gradient.document().orElse(null), model))
                : FunctionFile.read(file, context.options().namespace);
    }

    private void printCanary(ObjectNode deployed) {
        String version = deployed.path("version").asText("latest");
        context.console()
                .print(
                        "version %s gets %s %% of the requests, and those to %s",
                        version,
                        deployed.path("percent").asText(),
                        deployed.path("tagUrl")
                                .asText("the URL of its tag "
                                        + deployed.path("tag").asText()));
        context.console()
                .print(
                        "send it all of them: ./knabla traffic %s %s=100 -n %s",
                        deployed.path("name").asText(),
                        version,
                        deployed.path("namespace").asText());
    }

    private void print(ObjectNode deployed, double seconds) {
        deployed.put("seconds", Math.round(seconds * 1000) / 1000.0);
        deployed.path("warnings").forEach(warning -> context.warn(warning.asText()));
        String result = deployed.path("result").asText();
        switch (context.format()) {
            case json -> context.console().out().println(Documents.json(deployed));
            case yaml -> context.console().out().println(Documents.yaml(deployed));
            case name -> context.console().print("%s", deployed.path("name").asText());
            case table, wide -> {
                if (deployed.has("forecast")) {
                    CostForecasts.print(context, deployed.path("forecast"));
                }
                context.console()
                        .print(
                                "function %s/%s %s%s, in %.1f s",
                                deployed.path("namespace").asText(),
                                deployed.path("name").asText(),
                                result,
                                deployed.path("version").isInt() ? ", version " + deployed.path("version") : "",
                                seconds);
                if (deployed.has("tag")) {
                    printCanary(deployed);
                }
                if (deployed.path("url").isTextual()) {
                    context.console().print("%s", deployed.path("url").asText());
                }
            }
        }
    }
}
