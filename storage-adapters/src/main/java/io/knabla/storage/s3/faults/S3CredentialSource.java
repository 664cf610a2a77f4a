package io.knabla.storage.s3.faults;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Describes the credential provider that the SDK used, or why none had credentials. */
public final class S3CredentialSource {
    /** Phrases by which a provider of the chain reports that it is not configured; any other message is reported. */
    private static final List<String> NOT_SET_UP = List.of(
            "from system settings",
            "must be set",
            "contained no credentials for profile 'default'",
            "environment variables are set",
            "from IMDS");

    private S3CredentialSource() {}

    /**
     * @param provider feature codes that the SDK reports for the provider, innermost last, such as {@code n,v}:
     *     {@code CREDENTIALS_*} of {@code BusinessMetricFeatureId} in SDK 2.38
     */
    public static String describe(Optional<String> provider) {
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

    /** @param message of the provider chain: lists the messages of all providers */
    public static String describeMissing(String message) {
        String news = Arrays.stream(message.split(", (?=[A-Z][A-Za-z]*Provider\\()"))
                .filter(part -> part.contains("): "))
                .filter(part -> NOT_SET_UP.stream().noneMatch(part::contains))
                .map(part -> part.substring(part.indexOf("): ") + 3))
                .collect(Collectors.joining("; "));
        return "none in the environment, a web identity token, a profile, the container or the instance"
                + (news.isEmpty() ? "" : ": " + news);
    }
}
