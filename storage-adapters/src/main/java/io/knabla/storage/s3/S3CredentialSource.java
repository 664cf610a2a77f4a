package io.knabla.storage.s3;

import java.util.Optional;

/** The SDK's names of credential providers, in words. */
final class S3CredentialSource {
    private S3CredentialSource() {}

    /**
     * @param provider the features the SDK reports of the provider, by code, the innermost last, such
     *     as {@code n,v}: {@code CREDENTIALS_*} of {@code BusinessMetricFeatureId} in SDK 2.38
     */
    static String text(Optional<String> provider) {
        String codes = provider.orElse("");
        String code = codes.substring(codes.lastIndexOf(',') + 1);
        return switch (code) {
            case "e", "g" -> "AWS_ACCESS_KEY_ID of the environment";
            case "f" -> "system properties of this JVM";
            case "h", "k", "q" -> "a web identity token (IRSA)";
            case "i", "j", "l", "m" -> "a role assumed through STS";
            case "n", "o", "p" -> "a profile (AWS_PROFILE, ~/.aws)";
            case "r", "s", "t", "u" -> "a profile with single sign-on";
            case "v", "w" -> "a profile with a credential process";
            case "z" -> "the container's endpoint (EKS pod identity, ECS)";
            case "0" -> "the instance's role (IMDSv2)";
            default -> codes.isEmpty() ? "a provider that gives no name" : codes;
        };
    }
}
