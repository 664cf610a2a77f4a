package io.knabla.functions.compiler.autodiff.options;

import java.util.List;
import java.util.Optional;

/**
 * Options of a gradient or training step: the loss, the variables, the optimizer and the memory strategy.
 *
 * @param withRespectTo {@code parameters}, {@code inputs}, or names of initializers or inputs, in which {@code *}
 *     matches any characters
 * @param except which of those to leave out, in the same form
 * @param unreachable how to treat a variable that the loss does not depend on
 * @param straightThrough whether gradients through QuantizeLinear are estimated as if it did not round
 */
public record Gradient(
        Loss loss,
        List<String> withRespectTo,
        List<String> except,
        Unreachable unreachable,
        boolean straightThrough,
        Optional<Optimizer> optimizer,
        Memory memory) {
    public Gradient {
        withRespectTo = List.copyOf(withRespectTo);
        except = List.copyOf(except);
    }

    /** Exact gradients, without estimates, of all that is selected. */
    public Gradient(
            Loss loss,
            List<String> withRespectTo,
            Unreachable unreachable,
            Optional<Optimizer> optimizer,
            Memory memory) {
        this(loss, withRespectTo, List.of(), unreachable, false, optimizer, memory);
    }

    /** The same of all that {@code withRespectTo} selects. */
    public Gradient withoutExceptions() {
        return new Gradient(loss, withRespectTo, List.of(), unreachable, straightThrough, optimizer, memory);
    }

    /**
     * Defines the scalar that is differentiated.
     *
     * @param output output of the model; without {@code function} it is the loss itself
     * @param target the name of the input that the output is compared with
     * @param reduction how the losses of all elements become one number; None differentiates their sum and returns each
     *     of them
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

    /** Form of the target of SoftmaxCrossEntropy: a class index, or one probability per class. */
    public enum TargetForm {
        Labels,
        Probabilities
    }

    /**
     * Options of single loss functions.
     *
     * @param labelSmoothing share of each label that is spread over all classes, in [0, 1)
     * @param ignoreIndex the label that does not count in the loss
     * @param classWeights one per class; empty = equal weights
     * @param delta of Huber: where the loss changes from quadratic to linear
     * @param axis class axis of the output; -1 is the last one
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
     * Optimizer of a training step with its hyperparameters.
     *
     * @param momentum of {@link OptimizerType#Momentum}
     * @param nesterov whether to use Nesterov momentum
     * @param beta1 decay rate of the first moment, Adam and AdamW
     * @param beta2 decay rate of the second moment, Adam and AdamW
     * @param epsilon added to the root of the second moment, Adam and AdamW
     * @param weightDecay factor of the weight that is added to the gradient; AdamW subtracts it from the weight instead
     * @param accumulate number of calls to average gradients over before one weight update
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
     * Schedule of the factor that multiplies the learning rate in each step.
     *
     * @param warmupSteps steps of the linear rise from 0 to 1, before the schedule proper
     * @param totalSteps step at which Cosine and Linear reach {@code finalFactor}, including warm-up
     * @param stepSize interval at which Step multiplies by {@code gamma}
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

    /** Gradient clipping. */
    public sealed interface Clip {
        /** Scales all gradients together to a global 2-norm of at most {@code most}. */
        record Norm(double most) implements Clip {}

        /** Clamps each element to [-most, most]. */
        record Value(double most) implements Clip {}
    }

    /**
     * Whether to keep or recompute activations.
     *
     * @param maxBytes limit of the kept activations; empty = the least that one additional forward pass makes possible
     */
    public record Memory(MemoryStrategy strategy, Optional<Long> maxBytes) {}

    public enum MemoryStrategy {
        None,
        Recompute
    }
}
