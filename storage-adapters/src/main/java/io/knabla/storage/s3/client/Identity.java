package io.knabla.storage.s3.client;

import io.knabla.storage.settings.SettingsReader;
import java.util.Optional;

/**
 * AWS credentials or profile that a client signs its requests with.
 *
 * @param keys explicit credentials; empty for the SDK's provider chain
 * @param profile name of a profile in {@code ~/.aws}, for the provider chain
 */
public record Identity(Optional<AccessKeys> keys, Optional<String> profile) {
    private static final String ID = "AWS_ACCESS_KEY_ID";
    private static final String SECRET = "AWS_SECRET_ACCESS_KEY";

    static Identity of(SettingsReader values) {
        values.needs(ID, SECRET);
        Optional<AccessKeys> keys = values.stripped(ID)
                .flatMap(id -> values.stripped(SECRET)
                        .map(secret -> new AccessKeys(id, secret, values.stripped("AWS_SESSION_TOKEN"))));
        return new Identity(keys, values.stripped("AWS_PROFILE"));
    }
}
