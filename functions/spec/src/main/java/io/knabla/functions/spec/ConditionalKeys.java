package io.knabla.functions.spec;

import static io.knabla.functions.spec.CrossFieldRule.when;

import io.knabla.functions.compiler.autodiff.options.Gradient;
import io.knabla.functions.compiler.autodiff.options.Gradient.LossFunction;
import io.knabla.functions.compiler.autodiff.options.Gradient.OptimizerType;
import io.knabla.functions.compiler.autodiff.options.Gradient.ScheduleType;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/** Table of the keys that are valid only with certain values of another key; yields a rule for each. */
final class ConditionalKeys {
    private static final String LOSS = "spec.gradient.loss";
    private static final String OPTIMIZER = "spec.gradient.optimizer";
    private static final Set<LossFunction> CLASSES = EnumSet.of(LossFunction.SoftmaxCrossEntropy, LossFunction.NLL);
    private static final Set<OptimizerType> ADAMS = EnumSet.of(OptimizerType.Adam, OptimizerType.AdamW);
    private static final Set<ScheduleType> LENGTHS = EnumSet.of(ScheduleType.Cosine, ScheduleType.Linear);

    private static final List<Key> KEYS =
            Stream.of(loss(), optimizer(), schedule()).flatMap(List::stream).toList();

    private ConditionalKeys() {}

    /**
     * @param block path of the mapping that has the key
     * @param decider the other key in the same mapping
     * @param decided reads the decider's value; empty if it is not set
     * @param allowed the decider's values with which the key is valid
     */
    private record Key(
            String block,
            String name,
            String decider,
            Function<Gradient, Optional<? extends Enum<?>>> decided,
            Set<? extends Enum<?>> allowed,
            String sentence) {

        CrossFieldRule rule() {
            String path = block + "." + name;
            String self = decider.equals("function") ? "self.__function__" : "self." + decider;
            return CrossFieldRule.within(
                    block,
                    path,
                    block,
                    sentence,
                    (spec, findings) -> when(findings.isGiven(path)
                            && spec.gradient()
                                    .filter(g -> decided.apply(g)
                                            .filter(allowed::contains)
                                            .isEmpty())
                                    .isPresent()),
                    "!has(self.%s) || has(%s) && %s in %s".formatted(name, self, self, Validation.names(allowed)));
        }
    }

    static List<CrossFieldRule> rules() {
        return KEYS.stream().map(Key::rule).toList();
    }

    private static List<Key> loss() {
        Set<LossFunction> softmax = EnumSet.of(LossFunction.SoftmaxCrossEntropy);
        return List.of(
                loss(
                        "reduction",
                        EnumSet.allOf(LossFunction.class),
                        "found it without a loss function to reduce; remove it, or add function"),
                unless("targetForm", softmax, "only SoftmaxCrossEntropy accepts labels or probabilities"),
                unless("labelSmoothing", softmax, "only SoftmaxCrossEntropy has it"),
                unless("ignoreIndex", CLASSES, "only SoftmaxCrossEntropy and NLL have labels"),
                unless("classWeights", CLASSES, "only SoftmaxCrossEntropy and NLL have classes"),
                unless("axis", CLASSES, "only SoftmaxCrossEntropy and NLL have classes"),
                unless("delta", EnumSet.of(LossFunction.Huber), "only Huber has it"));
    }

    private static Key unless(String key, Set<LossFunction> functions, String why) {
        return loss(key, functions, why + "; remove it, or correct function");
    }

    private static Key loss(String key, Set<LossFunction> functions, String sentence) {
        return new Key(LOSS, key, "function", g -> g.loss().function(), functions, sentence);
    }

    private static List<Key> optimizer() {
        Set<OptimizerType> momentum = EnumSet.of(OptimizerType.Momentum);
        return List.of(
                optimizer("momentum", momentum, "Momentum"),
                optimizer("nesterov", momentum, "Momentum"),
                optimizer("beta1", ADAMS, "Adam or AdamW"),
                optimizer("beta2", ADAMS, "Adam or AdamW"),
                optimizer("epsilon", ADAMS, "Adam or AdamW"));
    }

    private static Key optimizer(String key, Set<OptimizerType> types, String instead) {
        return new Key(
                OPTIMIZER,
                key,
                "type",
                g -> g.optimizer().map(Gradient.Optimizer::type),
                types,
                "found it with an optimizer that has none; remove it, or write type: " + instead);
    }

    private static List<Key> schedule() {
        Set<ScheduleType> step = EnumSet.of(ScheduleType.Step);
        return List.of(
                schedule("totalSteps", LENGTHS),
                schedule("finalFactor", LENGTHS),
                schedule("stepSize", step),
                schedule("gamma", step));
    }

    private static Key schedule(String key, Set<ScheduleType> types) {
        return new Key(
                OPTIMIZER + ".schedule",
                key,
                "type",
                g -> g.optimizer().map(o -> o.schedule().type()),
                types,
                "found it with a schedule that has none; remove it, or write type: "
                        + String.join(
                                " or ", types.stream().map(Enum::name).sorted().toList()));
    }
}
