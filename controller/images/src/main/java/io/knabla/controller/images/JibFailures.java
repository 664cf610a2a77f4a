package io.knabla.controller.images;

import com.google.cloud.tools.jib.api.ImageReference;
import com.google.cloud.tools.jib.api.InsecureRegistryException;
import com.google.cloud.tools.jib.api.RegistryUnauthorizedException;
import io.knabla.controller.cli.CliFailure;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.util.Optional;

/** Converts a failed build or push of an image into a message with a fix. */
final class JibFailures {
    private JibFailures() {}

    /** @param target of the push; empty if only the base was needed */
    static CliFailure toFailure(Exception failed, BaseImage base, Optional<ImageReference> target) {
        for (Throwable cause = failed; cause != null; cause = cause.getCause()) {
            if (cause instanceof RegistryUnauthorizedException denied) {
                return CliFailure.because(
                        failed,
                        "the registry did not let us %s %s. Log in (docker login, or another tool that writes"
                                + " credentials to ~/.docker/config.json) with an account that has permission.",
                        target.isPresent() ? "read the base image or push to" : "read",
                        denied.getImageReference());
            }
            if (cause instanceof InsecureRegistryException) {
                return CliFailure.because(
                        failed,
                        "%s. If it speaks plain HTTP or has an untrusted certificate, and you trust the network to"
                                + " it, add --insecure.",
                        cause.getMessage());
            }
        }
        Throwable cause = failed.getCause() == null ? failed : failed.getCause();
        return CliFailure.because(
                failed,
                isUnreachable(failed)
                        ? "a registry cannot be reached (%3$s); needed: the base image %1$s%2$s. Check names,"
                                + " network and proxy; --base %4$s uses this machine's own C library as the base."
                        : "making an image on %1$s%2$s failed: %3$s. Run with -v to see each step.",
                base.name(),
                target.map(to -> " and " + to.getRegistry() + " to push to").orElse(""),
                cause.getMessage() == null ? cause : cause.getMessage(),
                BaseImage.HOST);
    }

    /** Whether no server answered. */
    static boolean isUnreachable(Throwable failed) {
        for (Throwable cause = failed; cause != null; cause = cause.getCause()) {
            if (cause instanceof UnknownHostException
                    || cause instanceof ConnectException
                    || cause instanceof NoRouteToHostException
                    || cause instanceof SocketTimeoutException) {
                return true;
            }
        }
        return false;
    }
}
