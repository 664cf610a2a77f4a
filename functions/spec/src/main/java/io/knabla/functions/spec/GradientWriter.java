package io.knabla.functions.spec;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.knabla.functions.compiler.autodiff.options.Gradient;
import io.knabla.functions.compiler.autodiff.options.Gradient.Clip;
import io.knabla.functions.compiler.autodiff.options.Gradient.Loss;
import io.knabla.functions.compiler.autodiff.options.Gradient.LossFunction;
import io.knabla.functions.compiler.autodiff.options.Gradient.LossOptions;
import io.knabla.functions.compiler.autodiff.options.Gradient.Optimizer;
import io.knabla.functions.compiler.autodiff.options.Gradient.Schedule;
import io.knabla.functions.compiler.autodiff.options.Gradient.TargetForm;

/** Writes {@code spec.gradient} with all defaults that apply to its options. */
final class GradientWriter {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private GradientWriter() {}

    static ObjectNode gradient(Gradient gradient) {
        ObjectNode node = NODES.objectNode();
        node.set("loss", loss(gradient.loss()));
        ArrayNode names = node.putArray("withRespectTo");
        gradient.withRespectTo().forEach(names::add);
        if (!gradient.except().isEmpty()) {
            ArrayNode left = node.putArray("except");
            gradient.except().forEach(left::add);
        }
        node.put("unreachable", gradient.unreachable().name());
        if (gradient.straightThrough()) {
            node.put("straightThrough", true);
        }
        gradient.optimizer().ifPresent(optimizer -> node.set("optimizer", optimizer(optimizer)));
        ObjectNode memory = node.putObject("memory")
                .put("strategy", gradient.memory().strategy().name());
        gradient.memory().maxBytes().ifPresent(bytes -> memory.put("maxBytes", Quantities.formatBytes(bytes)));
        return node;
    }

    private static ObjectNode loss(Loss loss) {
        ObjectNode node = NODES.objectNode().put("output", loss.output());
        loss.function().ifPresent(function -> {
            node.put("function", function.name());
            loss.target().ifPresent(target -> node.put("target", target));
            node.put("reduction", loss.reduction().name());
            options(function, loss.options(), node);
        });
        return node;
    }

    private static void options(LossFunction function, LossOptions options, ObjectNode node) {
        switch (function) {
            case SoftmaxCrossEntropy -> {
                node.put("targetForm", options.targetForm().name());
                node.put("labelSmoothing", options.labelSmoothing());
                if (options.targetForm() == TargetForm.Labels) {
                    options.ignoreIndex().ifPresent(index -> node.put("ignoreIndex", index));
                }
                classes(options, node);
            }
            case NLL -> {
                options.ignoreIndex().ifPresent(index -> node.put("ignoreIndex", index));
                classes(options, node);
            }
            case Huber -> node.put("delta", options.delta());
            case MSE, MAE, BCEWithLogits, Cosine -> {}
        }
    }

    private static void classes(LossOptions options, ObjectNode node) {
        node.put("axis", options.axis());
        if (!options.classWeights().isEmpty()) {
            ArrayNode weights = node.putArray("classWeights");
            options.classWeights().forEach(weights::add);
        }
    }

    private static ObjectNode optimizer(Optimizer optimizer) {
        ObjectNode node =
                NODES.objectNode().put("type", optimizer.type().name()).put("learningRate", optimizer.learningRate());
        switch (optimizer.type()) {
            case SGD -> {}
            case Momentum -> node.put("momentum", optimizer.momentum()).put("nesterov", optimizer.nesterov());
            case Adam, AdamW ->
                node.put("beta1", optimizer.beta1())
                        .put("beta2", optimizer.beta2())
                        .put("epsilon", optimizer.epsilon());
        }
        node.put("weightDecay", optimizer.weightDecay());
        node.set("schedule", schedule(optimizer.schedule()));
        optimizer.clip().ifPresent(clip -> {
            ObjectNode cut = node.putObject("clip");
            switch (clip) {
                case Clip.Norm(double most) -> cut.put("norm", most);
                case Clip.Value(double most) -> cut.put("value", most);
            }
        });
        return node.put("accumulate", optimizer.accumulate());
    }

    private static ObjectNode schedule(Schedule schedule) {
        ObjectNode node =
                NODES.objectNode().put("type", schedule.type().name()).put("warmupSteps", schedule.warmupSteps());
        switch (schedule.type()) {
            case Constant -> {}
            case Step -> node.put("stepSize", schedule.stepSize()).put("gamma", schedule.gamma());
            case Cosine, Linear ->
                node.put("totalSteps", schedule.totalSteps()).put("finalFactor", schedule.finalFactor());
        }
        return node;
    }
}
