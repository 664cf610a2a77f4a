package io.knabla.controller.cli.images;

import com.google.cloud.tools.jib.api.ImageReference;
import com.google.cloud.tools.jib.api.InsecureRegistryException;
import com.google.cloud.tools.jib.api.RegistryUnauthorizedException;
import io.knabla.controller.cli.CliFailure;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;

/** What a failed build or push means for a person, with the way out. */
final class RegistryFaults {
    private RegistryFaults() {}

    static CliFailure told(Exception failed, ImageReference base, ImageReference target) {
        for (Throwable cause = failed; cause != null; cause = cause.getCause()) {
            if (cause instanceof RegistryUnauthorizedException denied) {
                String where = denied.getImageReference();
                return CliFailure.because(
                        failed,
                        "the registry did not let us %s %s. Log in (docker login, or whatever writes credentials to ~/.docker/config.json) with an account that may.",
                        where.startsWith(target.getRegistry()) ? "push to" : "read",
                        where);
            }
            if (cause instanceof InsecureRegistryException) {
                return CliFailure.because(
                        failed,
                        "%s. If it speaks plain HTTP or has a certificate of its own and you trust the way to it, say --insecure.",
                        cause.getMessage());
            }
            if (unreachable(cause)) {
                return CliFailure.because(
                        failed,
                        "a registry cannot be reached (%s). Needed are %s for the base image (--base names another) and %s to push to. Check names, network and proxy.",
                        cause,
                        base.getRegistry(),
                        target.getRegistry());
            }
        }
        return CliFailure.because(
                failed,
                "making an image on %s for %s failed: %s",
                base,
                target,
                failed.getCause() == null ? failed.getMessage() : failed.getCause().getMessage());
    }

    private static boolean unreachable(Throwable cause) {
        return cause instanceof UnknownHostException
                || cause instanceof ConnectException
                || cause instanceof NoRouteToHostException
                || cause instanceof SocketTimeoutException;
    }
}
