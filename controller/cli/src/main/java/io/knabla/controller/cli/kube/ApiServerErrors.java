package io.knabla.controller.cli.kube;

import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.api.model.StatusCause;
import io.fabric8.kubernetes.api.model.StatusDetails;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.knabla.controller.cli.CliFailure;
import java.nio.channels.UnresolvedAddressException;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Converts failures of the API server into messages for the user.
 *
 * @param server address of the API server
 */
public record ApiServerErrors(String context, String server) {
    /** @param what the action, for the message: {@code apply function a/b} */
    <T> T call(String what, Supplier<T> call) {
        try {
            return call.get();
        } catch (KubernetesClientException trouble) {
            throw toFailure(what, trouble);
        }
    }

    CliFailure toFailure(String what, KubernetesClientException trouble) {
        return switch (trouble.getCode()) {
            case 401 ->
                failure(
                        trouble,
                        "the cluster of context '%s' does not accept the credentials: they are expired or wrong."
                                + " Get new ones as you got these (aws eks update-kubeconfig, gcloud container"
                                + " clusters get-credentials, a new login), then try again.",
                        context);
            case 403 ->
                failure(
                        trouble,
                        "context '%s' may not %s: %s. Ask for a role that allows it; kubectl auth"
                                + " can-i --list --context %s shows what it may.",
                        context,
                        what,
                        message(trouble),
                        context);
            case 404 -> missing(what, trouble);
            case 422 -> CliFailure.withFaults("the cluster refuses to " + what + ":", causes(trouble));
            // Without a response the code is 0, or -1 if the client gave up.
            case 0, -1 -> unreachable(trouble);
            default ->
                failure(
                        trouble,
                        "cannot %s on the cluster of context '%s': %s (%d)",
                        what,
                        context,
                        message(trouble),
                        trouble.getCode());
        };
    }

    private CliFailure missing(String what, KubernetesClientException trouble) {
        String kind = details(trouble).map(StatusDetails::getKind).orElse("");
        if (kind.equals("namespaces")) {
            return failure(
                    trouble,
                    "cannot %s: %s. Create it (kubectl create namespace), or name another with -n.",
                    what,
                    message(trouble));
        }
        return failure(
                trouble,
                "the cluster of context '%s' knows no Functions: the custom resource"
                        + " functions.knabla.dev is not installed there. Install Knabla: kubectl"
                        + " apply -k k8s/overlays/local (or aws) --context %s",
                context,
                context);
    }

    private CliFailure unreachable(KubernetesClientException trouble) {
        return failure(
                trouble,
                "the API server of context '%s' does not answer at %s (%s). See whether the cluster"
                        + " runs and can be reached from here: kubectl version --context %s",
                context,
                server,
                cause(trouble),
                context);
    }

    /** Message of the root cause. */
    public static String cause(Throwable trouble) {
        Throwable cause = trouble;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        return switch (cause) {
            case UnresolvedAddressException _ -> "its host name cannot be resolved from here";
            default -> cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
        };
    }

    private static CliFailure failure(Throwable cause, String sentence, Object... values) {
        return CliFailure.because(cause, sentence, values);
    }

    private static List<String> causes(KubernetesClientException trouble) {
        List<StatusCause> causes = details(trouble)
                .map(StatusDetails::getCauses)
                .filter(all -> !all.isEmpty())
                .orElse(List.of());
        return causes.isEmpty()
                ? List.of(message(trouble))
                : causes.stream()
                        .map(cause ->
                                cause.getField() == null || cause.getField().isEmpty()
                                        ? cause.getMessage()
                                        : cause.getField() + ": " + cause.getMessage())
                        .distinct()
                        .toList();
    }

    private static Optional<StatusDetails> details(KubernetesClientException trouble) {
        return Optional.ofNullable(trouble.getStatus()).map(Status::getDetails);
    }

    private static String message(KubernetesClientException trouble) {
        return Optional.ofNullable(trouble.getStatus()).map(Status::getMessage).orElse(trouble.getMessage());
    }
}
