package io.knabla.controller.cli.verbs.model;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.knabla.controller.cli.CliFailure;
import io.knabla.controller.cli.print.Documents;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine.Option;

/** Options for {@code spec.gradient}: the kind of derivative and its parameters. */
public final class GradientOptions {
    @Option(
            names = "--loss",
            paramLabel = "OUTPUT",
            description = "The output that is the loss, or that --loss-function turns into a loss.")
    String loss;

    @Option(
            names = "--loss-function",
            paramLabel = "FUNCTION",
            description = "MSE, MAE, Huber, BCEWithLogits, SoftmaxCrossEntropy, NLL or Cosine.")
    String function;

    @Option(
            names = "--target",
            paramLabel = "NAME",
            description = "The input that --loss-function compares the output with.")
    String target;

    @Option(names = "--reduction", paramLabel = "HOW", description = "Mean (default), Sum or None.")
    String reduction;

    @Option(
            names = "--wrt",
            split = ",",
            paramLabel = "NAME",
            description = "With respect to: parameters (default), inputs, or names, with * for any" + " characters.")
    List<String> wrt = List.of();

    @Option(
            names = "--except",
            split = ",",
            paramLabel = "NAME",
            description = "Names of those to leave out, such as buffers and frozen weights, with * for any characters.")
    List<String> except = List.of();

    @Option(
            names = "--unreachable",
            paramLabel = "WHAT",
            description = "For values that the loss does not depend on: Refuse (default) or Zero.")
    String unreachable;

    @Option(
            names = "--optimizer",
            paramLabel = "TYPE",
            description = "For a training step: SGD, Momentum, Adam or AdamW.")
    String optimizer;

    @Option(names = "--learning-rate", paramLabel = "NUMBER", description = "For a training step, such as 0.001.")
    Double learningRate;

    /** The document {@code spec.gradient}; empty if no option was given. */
    public Optional<ObjectNode> document() {
        if (loss == null) {
            if (!any()) {
                return Optional.empty();
            }
            throw CliFailure.usageError("say with --loss OUTPUT which output of the model is the loss.");
        }
        ObjectNode gradient = Documents.JSON.createObjectNode();
        ObjectNode of = gradient.putObject("loss").put("output", loss);
        put(of, "function", function);
        put(of, "target", target);
        put(of, "reduction", reduction);
        if (!wrt.isEmpty()) {
            wrt.forEach(gradient.putArray("withRespectTo")::add);
        }
        if (!except.isEmpty()) {
            except.forEach(gradient.putArray("except")::add);
        }
        put(gradient, "unreachable", unreachable);
        if (optimizer != null || learningRate != null) {
            ObjectNode step = gradient.putObject("optimizer");
            put(step, "type", optimizer);
            if (learningRate != null) {
                step.put("learningRate", learningRate);
            }
        }
        return Optional.of(gradient);
    }

    private boolean any() {
        return !wrt.isEmpty()
                || !except.isEmpty()
                || Stream.of(function, target, reduction, unreachable, optimizer, learningRate)
                        .anyMatch(Objects::nonNull);
    }

    private static void put(ObjectNode node, String key, String value) {
        if (value != null) {
            node.put(key, value);
        }
    }
}
