package io.knabla.controller.knative.status;

import io.fabric8.knative.pkg.apis.Condition;
import io.fabric8.knative.serving.v1.Revision;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerStateTerminatedBuilder;
import io.knabla.controller.knative.resource.Labels;
import io.knabla.controller.knative.resource.Reason;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Reads readiness and problems from the status of one Knative Revision, including why it cannot create pods. */
final class Revisions {
    private static final String NOT_MADE = "FailedCreate";

    /** Reasons of a normal start. */
    private static final Set<String> HEALTHY = Set.of("Deploying", "ResolvingDigests", "Unknown", "");

    private static final Pattern EXIT = Pattern.compile("ExitCode(\\d{1,3})");

    /**
     * Exit code of SIGKILL. The kernel's OOM killer sends it; the kubelet too, to a replica that hangs, whose pod then
     * says so itself.
     */
    private static final int KILLED = 137;

    private Revisions() {}

    static boolean ready(Revision revision) {
        return condition(revision, "Ready")
                .filter(ready -> "True".equals(ready.getStatus()))
                .isPresent();
    }

    static Optional<Trouble> trouble(Revision revision) {
        return condition(revision, "Ready")
                .filter(ready -> "False".equals(ready.getStatus()))
                .filter(ready -> !HEALTHY.contains(reason(ready)))
                .map(ready -> trouble(revision, reason(ready), said(ready)));
    }

    /** Whether the API server rejects the pods, for example because their ServiceAccount does not exist. */
    static boolean lacksPods(Revision revision) {
        return condition(revision, "Ready")
                .filter(ready -> reason(ready).equals(NOT_MADE))
                .isPresent();
    }

    private static Trouble trouble(Revision revision, String reason, String said) {
        Matcher exit = EXIT.matcher(reason);
        if (exit.matches()) {
            return ended(revision, Integer.parseInt(exit.group(1)), said);
        }
        return switch (reason) {
            case NOT_MADE -> AdmissionRejections.trouble(revision.getMetadata().getNamespace(), said);
            case "ContainerMissing" -> Images.trouble(Reason.ImagePullBackOff.name(), image(revision), said);
            case "Unschedulable" -> Trouble.placing(Reason.Unschedulable, "no node takes a replica: " + said);
            // Knative's last attempt: the pods that showed the cause are deleted.
            case "ProgressDeadlineExceeded" ->
                Trouble.running(
                        Reason.ProgressDeadlineExceeded,
                        "no replica of revision %s became ready within Knative's progress deadline, and its pods are gone; it is tried again from time to time (%s)."
                                .formatted(revision.getMetadata().getName(), said));
            default ->
                Trouble.running(
                        reason,
                        "revision %s failed: %s. kubectl describe revision %s -n %s tells more."
                                .formatted(
                                        revision.getMetadata().getName(),
                                        said,
                                        revision.getMetadata().getName(),
                                        revision.getMetadata().getNamespace()));
        };
    }

    /**
     * The Revision keeps this reason while the container runs again. The message equals that of the pod, so that both
     * count as one problem.
     */
    private static Trouble ended(Revision revision, int code, String said) {
        return Exits.trouble(
                new ContainerStateTerminatedBuilder()
                        .withExitCode(code)
                        .withReason(code == KILLED ? Reason.OOMKilled.name() : "Error")
                        .withMessage(said.replaceFirst("^Container failed with: ?", ""))
                        .build(),
                1,
                container(revision)
                        .map(Container::getResources)
                        .map(resources -> resources.getLimits())
                        .map(limits -> limits.get("memory")));
    }

    private static String image(Revision revision) {
        return container(revision).map(Container::getImage).orElse("?");
    }

    private static Optional<Container> container(Revision revision) {
        return Optional.ofNullable(revision.getSpec())
                .map(spec -> spec.getContainers())
                .filter(containers -> !containers.isEmpty())
                .map(containers -> containers.getFirst());
    }

    static Optional<Integer> version(Revision revision) {
        return FunctionSnapshot.label(revision, Labels.VERSION)
                .filter(number -> number.matches("[1-9]\\d{0,8}"))
                .map(Integer::valueOf);
    }

    private static Optional<Condition> condition(Revision revision, String type) {
        return Stream.ofNullable(revision.getStatus())
                .flatMap(status -> Stream.ofNullable(status.getConditions()))
                .flatMap(List::stream)
                .filter(condition -> type.equals(condition.getType()))
                .findFirst();
    }

    private static String reason(Condition condition) {
        return Objects.toString(condition.getReason(), "");
    }

    private static String said(Condition condition) {
        return Objects.toString(condition.getMessage(), "no more was said")
                .strip()
                .replaceFirst("\\.$", "");
    }
}
