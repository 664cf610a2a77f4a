package io.knabla.storage.s3.client;

import java.util.Optional;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.auth.credentials.AwsSessionCredentials;

/**
 * Who asks.
 *
 * @param credentials given ones; empty for the SDK's chain
 * @param profile of the files in {@code ~/.aws}, for what the chain takes from there
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
