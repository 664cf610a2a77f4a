package io.knabla.storage.s3.faults;

import io.knabla.storage.Advice;
import io.knabla.storage.StorageException.Kind;
import java.io.EOFException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.util.Optional;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;
import software.amazon.awssdk.core.exception.AbortedException;
import software.amazon.awssdk.core.exception.ApiCallAttemptTimeoutException;
import software.amazon.awssdk.core.exception.ApiCallTimeoutException;

/** Explains why S3 did not respond, with the remedy. */
public final class ConnectionFaults {
    private ConnectionFaults() {}

    public static Advice advice(Throwable fault) {
        return Stream.iterate(fault, cause -> cause != null, Throwable::getCause)
                .flatMap(cause -> ofOne(cause).stream())
                .findFirst()
                .orElseGet(() -> ofText(fault));
    }

    private static Optional<Advice> ofOne(Throwable cause) {
        return Optional.ofNullable(
                switch (cause) {
                    case UnknownHostException unknown ->
                        Advice.unavailable(
                                "there is no host '%s'.".formatted(unknown.getMessage()),
                                "Check KNABLA_S3_ENDPOINT and AWS_REGION; a server without wildcard names needs KNABLA_S3_ADDRESSING=path.");
                    case ConnectException refused ->
                        Advice.unavailable(
                                "nothing answers there (%s).".formatted(refused.getMessage()),
                                "Start the server, or check KNABLA_S3_ENDPOINT and the firewall.");
                    case NoRouteToHostException noRoute ->
                        Advice.unavailable(
                                "no way leads there (%s).".formatted(noRoute.getMessage()),
                                "Check the network and KNABLA_S3_ENDPOINT.");
                    case SSLException tls -> ofTls(tls);
                    case SocketTimeoutException slow ->
                        Advice.unavailable(
                                "it did not answer in time (%s).".formatted(slow.getMessage()),
                                "Check the network; KNABLA_S3_REQUEST_TIMEOUT sets how long to wait.");
                    case ApiCallTimeoutException _, ApiCallAttemptTimeoutException _ ->
                        Advice.unavailable(
                                "it did not answer in time.",
                                "Check the network; KNABLA_S3_REQUEST_TIMEOUT and KNABLA_S3_CALL_TIMEOUT set how long to wait.");
                    case AbortedException _, InterruptedException _ ->
                        Advice.unavailable("it was interrupted.", "Try again.");
                    case SocketException _, EOFException _ ->
                        Advice.unavailable(
                                "the connection broke (%s), again and again.".formatted(cause.getMessage()),
                                "Check the network, then try again.");
                    default -> null;
                });
    }

    private static Advice ofTls(SSLException tls) {
        String said = String.valueOf(tls.getMessage());
        if (said.contains("plaintext") || said.contains("Unsupported or unrecognized")) {
            return Advice.unavailable(
                    "it does not speak TLS.", "Write http:// in KNABLA_S3_ENDPOINT, or give it a certificate.");
        }
        if (said.contains("subject alternative") || said.contains("doesn't match")) {
            return Advice.unavailable(
                    "its certificate is for another name (%s).".formatted(said),
                    "Use the name it is made for, or KNABLA_S3_ADDRESSING=path.");
        }
        return Advice.unavailable(
                "its certificate is not trusted (%s).".formatted(said),
                "Set KNABLA_S3_CA to a PEM file with the authority that signed it.");
    }

    /** The SDK distinguishes these by text only. */
    private static Advice ofText(Throwable fault) {
        String said = String.valueOf(fault.getMessage());
        if (said.contains("load credentials")) {
            return new Advice(
                    Kind.ACCESS_DENIED,
                    "there are no credentials.",
                    "Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, log in (aws sso login), or give this machine or pod a role.");
        }
        if (said.contains("load region")) {
            return Advice.unavailable(
                    "the region is not known.", "Set AWS_REGION, or KNABLA_S3_ENDPOINT for a server of your own.");
        }
        if (said.contains("checksum")) {
            return new Advice(
                    Kind.BAD_OBJECT,
                    "its bytes are not those that were written (%s).".formatted(said),
                    "Read it again; if it stays so, restore it or write it anew.");
        }
        if (said.contains("waiting for connection from pool")) {
            return Advice.unavailable("all its connections are in use.", "Close streams that are no longer read.");
        }
        return Advice.unavailable("no answer came: %s.".formatted(said), "Check the network, then try again.");
    }
}
