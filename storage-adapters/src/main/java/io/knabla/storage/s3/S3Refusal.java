package io.knabla.storage.s3;

import io.knabla.storage.Checkup.Answer;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.util.Optional;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;
import software.amazon.awssdk.core.exception.ApiCallAttemptTimeoutException;
import software.amazon.awssdk.core.exception.ApiCallTimeoutException;
import software.amazon.awssdk.services.s3.model.S3Exception;

/** Why S3 did not do something, and what a person can do about it. */
record S3Refusal(S3Location location) {
    Answer of(Throwable failure) {
        return cause(failure, S3Exception.class)
                .map(this::ofServer)
                .orElseGet(() -> ofWay(failure));
    }

    /**
     * @param action the permission that was needed, such as {@code s3:PutObject}
     */
    Answer of(S3Exception refused, String action) {
        Answer answer = ofServer(refused);
        return refused.statusCode() == 403
                ? Answer.bad(action + " " + answer.found(), answer.fix())
                : answer;
    }

    /** By error code, see "List of error codes" in the Amazon S3 API reference. */
    private Answer ofServer(S3Exception refused) {
        String code =
                refused.awsErrorDetails() == null ? "" : refused.awsErrorDetails().errorCode();
        String said = "%d %s".formatted(refused.statusCode(), code == null ? "" : code).strip();
        return switch (code == null ? "" : code) {
            case "NoSuchBucket" ->
                    Answer.bad(
                            "there is no bucket '%s'".formatted(location.bucket()),
                            "make it (aws s3 mb s3://%s), or correct the store's name"
                                    .formatted(location.bucket()));
            case "InvalidAccessKeyId", "SignatureDoesNotMatch", "InvalidToken" ->
                    Answer.bad(
                            "the server does not accept the credentials (%s)".formatted(said),
                            "correct AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN, or the profile they come from");
            case "ExpiredToken" ->
                    Answer.bad("the credentials have expired", "get new ones (aws sso login)");
            case "RequestTimeTooSkewed" ->
                    Answer.bad("this machine's clock is wrong (" + said + ")", "synchronise it");
            case "PermanentRedirect",
                    "AuthorizationHeaderMalformed",
                    "IllegalLocationConstraintException" ->
                    otherRegion(refused);
            default -> refused.statusCode() == 403 ? denied(said) : unexpected(refused, said);
        };
    }

    private static Answer otherRegion(S3Exception refused) {
        String region =
                refused.awsErrorDetails()
                        .sdkHttpResponse()
                        .firstMatchingHeader("x-amz-bucket-region")
                        .orElse("another region");
        return Answer.bad("the bucket is in " + region, "set AWS_REGION to " + region);
    }

    private Answer denied(String said) {
        return Answer.bad(
                "is refused (%s)".formatted(said),
                "allow it: ./knabla doctor --store %s --policy prints what Knabla needs"
                        .formatted(location));
    }

    private static Answer unexpected(S3Exception refused, String said) {
        return Answer.bad(
                "the server answers %s: %s".formatted(said, refused.getMessage()),
                "see the server's log, or use another server");
    }

    private static Answer ofWay(Throwable failure) {
        Optional<UnknownHostException> unknown = cause(failure, UnknownHostException.class);
        if (unknown.isPresent()) {
            return Answer.bad(
                    "no address is known for the name " + unknown.get().getMessage(),
                    "correct KNABLA_S3_ENDPOINT, AWS_REGION or this machine's DNS; a server without wildcard names needs KNABLA_S3_ADDRESSING=path");
        }
        if (cause(failure, SSLException.class).isPresent()) {
            return Answer.bad(
                    "TLS fails: " + last(failure),
                    "name the PEM file of the server's authority in KNABLA_S3_CA; for a server without TLS the endpoint starts with http://");
        }
        if (Stream.of(
                        ConnectException.class,
                        SocketTimeoutException.class,
                        ApiCallTimeoutException.class,
                        ApiCallAttemptTimeoutException.class)
                .anyMatch(type -> cause(failure, type).isPresent())) {
            return Answer.bad(
                    "the server does not answer: " + last(failure),
                    "start it, correct KNABLA_S3_ENDPOINT, or open the way (firewall, proxy, VPC endpoint)");
        }
        return Answer.bad(last(failure), "see the message");
    }

    private static String last(Throwable failure) {
        Throwable last = failure;
        while (last.getCause() != null) {
            last = last.getCause();
        }
        return last.getMessage() == null ? last.getClass().getSimpleName() : last.getMessage();
    }

    private static <T extends Throwable> Optional<T> cause(Throwable failure, Class<T> type) {
        return Stream.iterate(failure, t -> t != null, Throwable::getCause)
                .filter(type::isInstance)
                .map(type::cast)
                .findFirst();
    }
}
