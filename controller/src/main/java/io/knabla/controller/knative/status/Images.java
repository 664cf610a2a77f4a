package io.knabla.controller.knative.status;

import io.knabla.controller.knative.resource.Reason;

/** Explains why an image cannot be pulled. */
final class Images {
    private Images() {}

    /** @param said message of the kubelet, or of Knative when it resolved the tag */
    static Trouble trouble(String reason, String image, String said) {
        return Trouble.running(
                // The kubelet alternates between the two reasons; one reason avoids an event for each change.
                reason.equals("ErrImagePull") ? Reason.ImagePullBackOff.name() : reason,
                "the image %s cannot be pulled from %s: %s. %s"
                        .formatted(image, registry(image), last(said), cure(said)));
    }

    private static String cure(String said) {
        if (matches(said, "unauthorized", "authorization failed", "denied", "401", "403")) {
            return "Give the nodes the right to pull it (an imagePullSecret, or the node role's policy for the registry).";
        }
        if (matches(said, "no such host", "connection refused", "timeout", "no route", "dial tcp")) {
            return "Check that the nodes reach the registry, and its name.";
        }
        if (matches(said, "not found", "404", "manifest unknown")) {
            return "Push it again with ./knabla images --push REPOSITORY, and apply the lines that it prints.";
        }
        return "Push it with ./knabla images --push REPOSITORY, or correct the image's name in k8s/images.";
    }

    private static boolean matches(String said, String... phrases) {
        for (String phrase : phrases) {
            if (said.contains(phrase)) {
                return true;
            }
        }
        return false;
    }

    /** Follows Docker's image names: the first part is a host if it contains a dot or a port, or is localhost. */
    private static String registry(String image) {
        int slash = image.indexOf('/');
        String first = slash < 0 ? "" : image.substring(0, slash);
        return first.contains(".") || first.contains(":") || first.equals("localhost")
                ? "the registry " + first
                : "docker.io";
    }

    /** The cause is at the end: each layer of the container runtime adds a prefix. */
    private static String last(String said) {
        String[] parts = said.strip().split(": ");
        String end = parts[parts.length - 1];
        return end.length() < 12 && parts.length > 1 ? parts[parts.length - 2] + ": " + end : end;
    }
}
