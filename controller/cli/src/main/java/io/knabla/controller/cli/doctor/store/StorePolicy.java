package io.knabla.controller.cli.doctor.store;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.knabla.controller.cli.print.Documents;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;

/**
 * The minimal IAM policy for a store in S3. The templates are those of {@code terraform/policies}, with placeholders
 * that Terraform's {@code templatefile} fills too.
 *
 * @param prefix what every key starts with: "" or a path that ends in {@code /}
 * @param partition {@code aws}, {@code aws-cn} or {@code aws-us-gov}
 * @param kmsKey the ARN of the key that the objects are encrypted with; empty without SSE-KMS
 */
public record StorePolicy(String bucket, String prefix, String partition, Optional<String> kmsKey) {
    /** Component that gets the policy. */
    public enum Role {
        controller,
        inference,
        training
    }

    /**
     * @param location {@code s3://bucket/prefix}
     * @param region such as {@code eu-central-1}; "" when unknown
     */
    public static StorePolicy of(String location, String region, Optional<String> kmsKey) {
        URI uri = URI.create(location);
        if (!"s3".equals(uri.getScheme()) || uri.getAuthority() == null) {
            throw new IllegalArgumentException(
                    "an IAM policy needs a store in S3, and '%s' is none; write s3://bucket/prefix"
                            .formatted(location));
        }
        String path = uri.getPath().replaceAll("^/+|/+$", "");
        return new StorePolicy(
                uri.getAuthority(),
                path.isEmpty() ? "" : path + "/",
                region.startsWith("cn-") ? "aws-cn" : region.startsWith("us-gov-") ? "aws-us-gov" : "aws",
                kmsKey);
    }

    public JsonNode document(Role role) {
        ObjectNode policy = filled("store-" + role);
        kmsKey.ifPresent(_ -> ((ArrayNode) policy.get("Statement"))
                .addAll((ArrayNode) filled("store-kms").get("Statement")));
        return policy;
    }

    private ObjectNode filled(String template) {
        String text = text(template);
        Map<String, String> values = Map.of(
                "bucket", bucket,
                "prefix", prefix,
                "partition", partition,
                "kms_key", kmsKey.orElse(""));
        for (var value : values.entrySet()) {
            text = text.replace("${" + value.getKey() + "}", value.getValue());
        }
        try {
            return (ObjectNode) Documents.JSON.readTree(text);
        } catch (IOException broken) {
            throw new UncheckedIOException(template + " is no JSON", broken);
        }
    }

    private static String text(String template) {
        try (InputStream in = StorePolicy.class.getResourceAsStream(template + ".json.tftpl")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
