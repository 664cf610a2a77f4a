package io.knabla.storage.s3.faults;

import io.knabla.storage.Advice;
import io.knabla.storage.StorageException;
import io.knabla.storage.StorageException.Kind;
import java.util.Optional;
import java.util.Set;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.s3.model.NoSuchBucketException;

/** Converts an error of S3 or of the connection to a StorageException with cause, place and remedy. */
public final class S3Faults {
    private static final Set<String> BAD_KEYS =
            Set.of("InvalidAccessKeyId", "SignatureDoesNotMatch", "InvalidClientTokenId");
    private static final Set<String> OLD_KEYS =
            Set.of("ExpiredToken", "ExpiredTokenException", "InvalidToken", "TokenRefreshRequired");
    private static final Set<String> REGIONS = Set.of(
            "PermanentRedirect",
            "TemporaryRedirect",
            "AuthorizationHeaderMalformed",
            "IllegalLocationConstraintException");
    private static final Set<String> BUSY =
            Set.of("SlowDown", "ServiceUnavailable", "Throttling", "TooManyRequests", "503", "429");

    private S3Faults() {}

    /** @param what a key or a prefix */
    public static StorageException cannot(Action action, Object what, S3Location place, SdkException cause) {
        return advice(action, place, cause)
                .failed("cannot %s '%s' in the store %s: ".formatted(action.verb, what, place), cause);
    }

    /** Returns the last part of {@link #cannot}'s message: the reason and the remedy. */
    public static Advice advice(Action action, S3Location place, SdkException cause) {
        return cause instanceof AwsServiceException answer
                ? ofAnswer(action, place, answer)
                : ConnectionFaults.advice(cause);
    }

    public static String code(AwsServiceException answer) {
        if (answer instanceof NoSuchBucketException) {
            // A HEAD response has no body with an error code.
            return "NoSuchBucket";
        }
        return answer.awsErrorDetails() == null || answer.awsErrorDetails().errorCode() == null
                ? Integer.toString(answer.statusCode())
                : answer.awsErrorDetails().errorCode();
    }

    private static Advice ofAnswer(Action action, S3Location place, AwsServiceException answer) {
        String code = code(answer);
        if (code.equals("NoSuchBucket")) {
            return new Advice(
                    Kind.BUCKET_MISSING,
                    "there is no bucket '%s' there.".formatted(place.bucket()),
                    "Make it (aws s3 mb s3://%s), or set KNABLA_STORE to one that exists.".formatted(place.bucket()));
        }
        if (BAD_KEYS.contains(code)) {
            return new Advice(
                    Kind.ACCESS_DENIED,
                    "it does not know these credentials (%s).".formatted(code),
                    "Check AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, and that they belong to this server.");
        }
        if (OLD_KEYS.contains(code)) {
            return new Advice(
                    Kind.CREDENTIALS_EXPIRED,
                    "the credentials have expired (%s).".formatted(code),
                    "Renew them: log in again, or set a new AWS_SESSION_TOKEN.");
        }
        if (REGIONS.contains(code) || answer.statusCode() == 301) {
            return region(place, answer);
        }
        if (code.equals("RequestTimeTooSkewed") || code.equals("RequestExpired")) {
            return Advice.unavailable(
                    "this machine's clock is more than 15 minutes off the server's.",
                    "Set it (timedatectl set-ntp true).");
        }
        if (BUSY.contains(code) || answer.statusCode() == 503 || answer.statusCode() == 429) {
            return Advice.unavailable(
                    "it is asked too much (%s) and stayed so for %s.".formatted(code, tries(answer)),
                    "Try again later; a new prefix is split up by S3 only gradually.");
        }
        return byStatus(action, place, answer, code);
    }

    private static Advice byStatus(Action action, S3Location place, AwsServiceException answer, String code) {
        return switch (answer.statusCode()) {
            case 401, 403 ->
                new Advice(
                        Kind.ACCESS_DENIED,
                        "access denied (%s).".formatted(code),
                        "Its credentials need %s on arn:aws:s3:::%s%s; with a KMS key also kms:GenerateDataKey and kms:Decrypt. ./knabla doctor prints the whole policy."
                                .formatted(action.permission, place.bucket(), resource(action)));
            case 412 ->
                new Advice(
                        Kind.BAD_OBJECT, "it was replaced meanwhile.", "Start again with the one that is there now.");
            case 501 ->
                Advice.unavailable(
                        "the server does not know this request (%s: %s).".formatted(code, said(answer)),
                        "Knabla needs conditional writes (If-Match, If-None-Match) and multipart uploads; use a server, or a version of it, that has them. Encryption is asked for only by KNABLA_S3_ENCRYPTION.");
            case 400 ->
                Advice.unavailable(
                        "it refused the request (%s: %s).".formatted(code, said(answer)),
                        "Check KNABLA_S3_ENDPOINT, KNABLA_S3_ADDRESSING and KNABLA_S3_ENCRYPTION.");
            default ->
                Advice.unavailable(
                        "it answered %d %s (%s) after %s."
                                .formatted(answer.statusCode(), code, said(answer), tries(answer)),
                        "Try again; if it stays so, see the server's own log.");
        };
    }

    private static String resource(Action action) {
        return action == Action.LIST ? "" : "/*";
    }

    private static Advice region(S3Location place, AwsServiceException answer) {
        Optional<String> region = Optional.ofNullable(answer.awsErrorDetails())
                .map(details -> details.sdkHttpResponse())
                .flatMap(http -> http.firstMatchingHeader("x-amz-bucket-region"));
        return Advice.unavailable(
                "the bucket '%s' is in %s."
                        .formatted(
                                place.bucket(),
                                region.map(name -> "the region " + name)
                                        .orElse("another region or at another endpoint")),
                "Set AWS_REGION%s."
                        .formatted(region.map(name -> "=" + name).orElse(" (or KNABLA_S3_ENDPOINT) to its")));
    }

    private static String said(AwsServiceException answer) {
        return answer.awsErrorDetails() == null || answer.awsErrorDetails().errorMessage() == null
                ? "no more was said"
                : answer.awsErrorDetails().errorMessage();
    }

    private static String tries(SdkException fault) {
        Integer tries = fault.numAttempts();
        return tries == null || tries == 1 ? "one try" : tries + " tries";
    }
}
