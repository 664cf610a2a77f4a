package io.knabla.functions.spec;

import java.util.List;
import java.util.Optional;

/**
 * What is differentiated, with respect to what, and what becomes of it.
 *
 * @param withRespectTo {@code parameters}, {@code inputs}, or names of initializers or inputs, in which {@code *}
 *     stands for any characters
 * @param unreachable what the gradient of a value is that the loss does not depend on
 */
public record Gradient(
        Loss loss, List<String> withRespectTo, Unreachable unreachable, Optional<Optimizer> optimizer, Memory memory) {
    public Gradient {
        withRespectTo = List.copyOf(withRespectTo);
    }

    /**
     * @param output of the model; without {@code function} it is the loss itself
     * @param target the name of the input that the output is compared with
     * @param reduction of the losses of all elements to one number; None differentiates their sum and answers each of
     *     them
     */
    public record Loss(
            String output,
            Optional<LossFunction> function,
            Optional<String> target,
            Reduction reduction,
            LossOptions options) {
        public static Loss scalar(String output) {
            return new Loss(output, Optional.empty(), Optional.empty(), Reduction.Mean, LossOptions.DEFAULT);
        }
    }

    public enum LossFunction {
        MSE,
        MAE,
        Huber,
        BCEWithLogits,
        SoftmaxCrossEntropy,
        NLL,
        Cosine
    }

    public enum Reduction {
        Mean,
        Sum,
        None
    }

    /** What the target of SoftmaxCrossEntropy holds: one class index, or a probability a class. */
    public enum TargetForm {
        Labels,
        Probabilities
    }

    /**
     * @param labelSmoothing in [0, 1): the share of each label that is spread over all classes
     * @param ignoreIndex the label that counts for nothing
     * @param classWeights one a class, or empty for all alike
     * @param delta of Huber: where the square turns into a line
     * @param axis of the output along which its classes lie; -1 is the last one
     */
    public record LossOptions(
            TargetForm targetForm,
            double labelSmoothing,
            Optional<Long> ignoreIndex,
            List<Double> classWeights,
            double delta,
            int axis) {
        public static final LossOptions DEFAULT =
                new LossOptions(TargetForm.Labels, 0, Optional.empty(), List.of(), 1, 1);

        public LossOptions {
            classWeights = List.copyOf(classWeights);
        }
    }

    public enum Unreachable {
        Refuse,
        Zero
    }

    /**
     * @param momentum of {@link OptimizerType#Momentum}
     * @param nesterov whether the momentum looks ahead
     * @param beta1 decay of the gradient's mean, Adam and AdamW
     * @param beta2 decay of the gradient's square, Adam and AdamW
     * @param epsilon added to the root of the square, Adam and AdamW
     * @param weightDecay added to the gradient times the weight; AdamW takes it off the weight itself
     * @param accumulate calls whose gradients are averaged before the weights change once
     */
    public record Optimizer(
            OptimizerType type,
            double learningRate,
            double momentum,
            boolean nesterov,
            double beta1,
            double beta2,
            double epsilon,
            double weightDecay,
            Schedule schedule,
            Optional<Clip> clip,
            int accumulate) {}

    public enum OptimizerType {
        SGD,
        Momentum,
        Adam,
        AdamW
    }

    /**
     * What the learning rate is multiplied by, step by step.
     *
     * @param warmupSteps in which it rises from 0 to 1 on a line; the rest begins after them
     * @param totalSteps where Cosine and Linear arrive at {@code finalFactor}, warm-up included
     * @param stepSize after how many steps Step multiplies by {@code gamma}
     */
    public record Schedule(
            ScheduleType type, int warmupSteps, int totalSteps, double finalFactor, int stepSize, double gamma) {
        public static final Schedule CONSTANT = new Schedule(ScheduleType.Constant, 0, 0, 0, 0, 1);
    }

    public enum ScheduleType {
        Constant,
        Step,
        Cosine,
        Linear
    }

    /** How gradients that are too large are cut. */
    public sealed interface Clip {
        /** All of them together, so that their common 2-norm is at most this. */
        record Norm(double most) implements Clip {}

        /** Each number on its own into [-most, most]. */
        record Value(double most) implements Clip {}
    }

    /** @param maxBytes what the activations kept may take; empty = as little as one more forward pass buys */
    public record Memory(MemoryStrategy strategy, Optional<Long> maxBytes) {}

    public enum MemoryStrategy {
        None,
        Recompute
    }
}
