package io.knabla.storage.s3.client;

import java.util.Optional;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.auth.credentials.AwsSessionCredentials;

/**
 * AWS credentials or profile that a client signs its requests with.
 *
 * @param credentials explicit credentials; empty for the SDK's provider chain
 * @param profile name of a profile in {@code ~/.aws}, for the provider chain
 */
record Identity(Optional<AwsCredentials> credentials, Optional<String> profile) {
    private static final String ID = "AWS_ACCESS_KEY_ID";
    private static final String SECRET = "AWS_SECRET_ACCESS_KEY";

    static Identity of(SettingValues values) {
        values.needs(ID, SECRET);
        Optional<AwsCredentials> credentials =
                values.text(ID).flatMap(id -> values.text(SECRET).map(secret -> credentials(values, id, secret)));
        return new Identity(credentials, values.text("AWS_PROFILE"));
    }

    private static AwsCredentials credentials(SettingValues values, String id, String secret) {
        return values.text("AWS_SESSION_TOKEN")
                .<AwsCredentials>map(token -> AwsSessionCredentials.create(id, secret, token))
                .orElseGet(() -> AwsBasicCredentials.create(id, secret));
    }
}
