package io.knabla.controller.knative.status;

import io.fabric8.kubernetes.api.model.ContainerStateTerminated;
import io.fabric8.kubernetes.api.model.Quantity;
import io.knabla.controller.knative.resource.Reason;
import io.knabla.controller.machine.MemoryLimit;
import io.knabla.controller.platform.GpuLossReason;
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
        if (ended.getExitCode() == GpuLossReason.EXIT_CODE) {
            return Trouble.running(Reason.DeviceLost, lost(times, sentence));
        }
        return FailureReasons.of(TerminationMessage.code(output))
                .map(reason -> Trouble.running(reason, sentence))
                .orElseGet(() -> Trouble.running(Reason.CrashLoop, crash(ended, times, sentence)));
    }

    private static Trouble memory(String what, Optional<Quantity> limit) {
        return Trouble.running(
                Reason.OOMKilled,
                MemoryLimit.outOfMemory(
                        what,
                        limit.map(given -> Quantity.getAmountInBytes(given).longValue())));
    }

    /** CUDA keeps such an error for the rest of the process, so the kubelet's next one may compute again. */
    private static String lost(int times, String sentence) {
        String loss = sentence.isEmpty() ? "the replica lost its GPU, and starts again" : sentence;
        return times == 1
                ? loss
                : "%s. It was the same %d times in a row: look at the node's GPU with nvidia-smi, or take the node out with kubectl drain"
                        .formatted(loss, times);
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
