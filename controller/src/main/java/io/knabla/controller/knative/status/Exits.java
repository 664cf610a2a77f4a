package io.knabla.controller.knative.status;

import io.fabric8.kubernetes.api.model.ContainerStateTerminated;
import io.fabric8.kubernetes.api.model.Quantity;
import io.knabla.controller.knative.resource.Reason;
import io.knabla.functions.spec.Quantities;
import java.util.Objects;
import java.util.Optional;

/** Explains why a container terminated, from its exit code and its last output. */
final class Exits {
    private Exits() {}

    /**
     * @param times consecutive terminations
     * @param limit memory limit of the container
     */
    static Trouble trouble(ContainerStateTerminated ended, int times, Optional<Quantity> limit) {
        String output = Objects.toString(ended.getMessage(), "");
        if (Reason.OOMKilled.name().equals(ended.getReason())) {
            return memory("was killed, as it used more than its memory", limit);
        }
        if (TerminationMessage.outOfMemory(output)) {
            return memory("ran out of memory", limit);
        }
        String sentence = TerminationMessage.lastLine(output);
        return FailureReasons.of(TerminationMessage.code(output))
                .map(reason -> Trouble.running(reason, sentence))
                .orElseGet(() -> Trouble.running(Reason.CrashLoop, crash(ended, times, sentence)));
    }

    private static Trouble memory(String what, Optional<Quantity> limit) {
        return Trouble.running(
                Reason.OOMKilled,
                "a replica %s%s. Set spec.resources.memory to more%s, or to auto; ./knabla analyze tells what the model needs."
                        .formatted(
                                what,
                                limit.map(Exits::text).map(" of "::concat).orElse(""),
                                limit.map(Exits::doubled)
                                        .map(", such as "::concat)
                                        .orElse("")));
    }

    /** Formats the limit with a unit: the pod spec has it as a number of bytes. */
    private static String text(Quantity limit) {
        return Quantities.formatBytes(Quantity.getAmountInBytes(limit).longValue());
    }

    /** Suggests twice the limit: 1.5 times is enough for most, but a second failure costs another deploy. */
    private static String doubled(Quantity limit) {
        long mib = Quantity.getAmountInBytes(limit).longValue() >> 20;
        return Math.max(64, 2 * mib) + "Mi";
    }

    private static String crash(ContainerStateTerminated ended, int times, String sentence) {
        return "the replica ended with exit code %d%s%s"
                .formatted(
                        ended.getExitCode(),
                        times == 1 ? "" : ", %d times in a row".formatted(times),
                        sentence.isEmpty()
                                ? " and said nothing; ./knabla logs shows what it wrote before"
                                : ", the last time with: " + sentence);
    }
}
