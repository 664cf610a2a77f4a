package io.knabla.storage.s3.faults;

import io.knabla.storage.StorageException;
import java.util.Optional;
import java.util.Set;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.s3.model.NoSuchBucketException;

/** Turns an error of S3 or of the connection into a StorageException that says what failed, where, and what to do. */
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
        return new StorageException(
                "cannot %s '%s' in the store %s: %s".formatted(action.verb, what, place, advice(action, place, cause)),
                cause);
    }

    /** Returns the last part of {@link #cannot}'s message: the reason and the remedy. */
    public static String advice(Action action, S3Location place, SdkException cause) {
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

    private static String ofAnswer(Action action, S3Location place, AwsServiceException answer) {
        String code = code(answer);
        if (code.equals("NoSuchBucket")) {
            return "there is no bucket '%s' there. Make it (aws s3 mb s3://%s), or set KNABLA_STORE to one that exists."
                    .formatted(place.bucket(), place.bucket());
        }
        if (BAD_KEYS.contains(code)) {
            return "it does not know these credentials (%s). Check AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, and that they belong to this server."
                    .formatted(code);
        }
        if (OLD_KEYS.contains(code)) {
            return "the credentials have expired (%s). Renew them: log in again, or set a new AWS_SESSION_TOKEN."
                    .formatted(code);
        }
        if (REGIONS.contains(code) || answer.statusCode() == 301) {
            return region(place, answer);
        }
        if (code.equals("RequestTimeTooSkewed") || code.equals("RequestExpired")) {
            return "this machine's clock is more than 15 minutes off the server's. Set it (timedatectl set-ntp true).";
        }
        if (BUSY.contains(code) || answer.statusCode() == 503 || answer.statusCode() == 429) {
            return "it is asked too much (%s) and stayed so for %s. Try again later; a new prefix is split up by S3 only gradually."
                    .formatted(code, tries(answer));
        }
        return byStatus(action, place, answer, code);
    }

    private static String byStatus(Action action, S3Location place, AwsServiceException answer, String code) {
        return switch (answer.statusCode()) {
            case 401, 403 ->
                "access denied (%s). Its credentials need %s on arn:aws:s3:::%s%s; with a KMS key also kms:GenerateDataKey and kms:Decrypt. ./knabla doctor prints the whole policy."
                        .formatted(code, action.permission, place.bucket(), resource(action));
            case 412 -> "it was replaced meanwhile. Start again with the one that is there now.";
            case 501 ->
                "the server does not know this request (%s: %s). Knabla needs conditional writes (If-Match, If-None-Match) and multipart uploads; use a server, or a version of it, that has them. Encryption is asked for only by KNABLA_S3_ENCRYPTION."
                        .formatted(code, said(answer));
            case 400 ->
                "it refused the request (%s: %s). Check KNABLA_S3_ENDPOINT, KNABLA_S3_ADDRESSING and KNABLA_S3_ENCRYPTION."
                        .formatted(code, said(answer));
            default ->
                "it answered %d %s (%s) after %s. Try again; if it stays so, see the server's own log."
                        .formatted(answer.statusCode(), code, said(answer), tries(answer));
        };
    }

    private static String resource(Action action) {
        return action == Action.LIST ? "" : "/*";
    }

    private static String region(S3Location place, AwsServiceException answer) {
        Optional<String> region = Optional.ofNullable(answer.awsErrorDetails())
                .map(details -> details.sdkHttpResponse())
                .flatMap(http -> http.firstMatchingHeader("x-amz-bucket-region"));
        return "the bucket '%s' is in %s. Set AWS_REGION%s."
                .formatted(
                        place.bucket(),
                        region.map(name -> "the region " + name).orElse("another region or at another endpoint"),
                        region.map(name -> "=" + name).orElse(" (or KNABLA_S3_ENDPOINT) to its"));
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
