package io.knabla.storage.s3.faults;

import java.io.EOFException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;
import software.amazon.awssdk.core.exception.AbortedException;
import software.amazon.awssdk.core.exception.ApiCallAttemptTimeoutException;
import software.amazon.awssdk.core.exception.ApiCallTimeoutException;

/** Explains why S3 did not respond, and what to do about it. */
public final class ConnectionFaults {
    private ConnectionFaults() {}

    public static String advice(Throwable fault) {
        return Stream.iterate(fault, cause -> cause != null, Throwable::getCause)
                .map(ConnectionFaults::ofOne)
                .filter(advice -> !advice.isEmpty())
                .findFirst()
                .orElseGet(() -> ofText(fault));
    }

    private static String ofOne(Throwable cause) {
        return switch (cause) {
            case UnknownHostException unknown ->
                "there is no host '%s'. Check KNABLA_S3_ENDPOINT and AWS_REGION; a server without wildcard names needs KNABLA_S3_ADDRESSING=path."
                        .formatted(unknown.getMessage());
            case ConnectException refused ->
                "nothing answers there (%s). Start the server, or check KNABLA_S3_ENDPOINT and the firewall."
                        .formatted(refused.getMessage());
            case NoRouteToHostException noRoute ->
                "no way leads there (%s). Check the network and KNABLA_S3_ENDPOINT.".formatted(noRoute.getMessage());
            case SSLException tls -> ofTls(tls);
            case SocketTimeoutException slow ->
                "it did not answer in time (%s). Check the network; KNABLA_S3_REQUEST_TIMEOUT sets how long to wait."
                        .formatted(slow.getMessage());
            case ApiCallTimeoutException _, ApiCallAttemptTimeoutException _ ->
                "it did not answer in time. Check the network; KNABLA_S3_REQUEST_TIMEOUT and KNABLA_S3_CALL_TIMEOUT set how long to wait.";
            case AbortedException _, InterruptedException _ -> "it was interrupted. Try again.";
            case SocketException _, EOFException _ ->
                "the connection broke (%s), again and again. Check the network, then try again."
                        .formatted(cause.getMessage());
            default -> "";
        };
    }

    private static String ofTls(SSLException tls) {
        String said = String.valueOf(tls.getMessage());
        if (said.contains("plaintext") || said.contains("Unsupported or unrecognized")) {
            return "it does not speak TLS. Write http:// in KNABLA_S3_ENDPOINT, or give it a certificate.";
        }
        if (said.contains("subject alternative") || said.contains("doesn't match")) {
            return "its certificate is for another name (%s). Use the name it is made for, or KNABLA_S3_ADDRESSING=path."
                    .formatted(said);
        }
        return "its certificate is not trusted (%s). Set KNABLA_S3_CA to a PEM file with the authority that signed it."
                .formatted(said);
    }

    private static String ofText(Throwable fault) {
        String said = String.valueOf(fault.getMessage());
        if (said.contains("load credentials")) {
            return "there are no credentials. Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, log in (aws sso login), or give this machine or pod a role.";
        }
        if (said.contains("load region")) {
            return "the region is not known. Set AWS_REGION, or KNABLA_S3_ENDPOINT for a server of your own.";
        }
        if (said.contains("checksum")) {
            return "its bytes are not those that were written (%s). Read it again; if it stays so, restore it or write it anew."
                    .formatted(said);
        }
        if (said.contains("waiting for connection from pool")) {
            return "all its connections are in use. Close streams that are no longer read.";
        }
        return "no answer came: %s. Check the network, then try again.".formatted(said);
    }
}
