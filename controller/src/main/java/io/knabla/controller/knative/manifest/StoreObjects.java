package io.knabla.controller.knative.manifest;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.api.model.ServiceAccountBuilder;
import io.knabla.controller.catalog.FunctionId;
import io.knabla.controller.home.StoreAccess;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Builds the Secret or ServiceAccount that gives a function's pods access to the store. Access keys open the whole
 * store to everyone who may read Secrets in the function's namespace; a role applies to the pods only.
 */
public final class StoreObjects {
    /** Variables for files, addresses or the role of the controller's own pod; never passed on to replicas. */
    private static final Set<String> OF_THIS_POD = Set.of(
            "AWS_ROLE_ARN",
            "AWS_ROLE_SESSION_NAME",
            "AWS_WEB_IDENTITY_TOKEN_FILE",
            "AWS_CONTAINER_CREDENTIALS_FULL_URI",
            "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI",
            "AWS_CONTAINER_AUTHORIZATION_TOKEN",
            "AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE",
            "AWS_CONFIG_FILE",
            "AWS_SHARED_CREDENTIALS_FILE",
            "AWS_PROFILE");

    private static final Set<String> SECRET = Set.of("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN");

    private StoreObjects() {}

    /** Secret variables for the replicas; empty if the pods' role grants access. */
    public static Map<String, String> secrets(StoreAccess store) {
        Map<String, String> secrets = new TreeMap<>(store.forProcesses());
        secrets.keySet().retainAll(SECRET);
        return secrets;
    }

    /** Variables that are not secret, such as the region. */
    public static Map<String, String> plain(StoreAccess store) {
        Map<String, String> plain = new TreeMap<>(store.forProcesses());
        plain.keySet().removeAll(SECRET);
        plain.keySet().removeAll(OF_THIS_POD);
        return plain;
    }

    static List<HasMetadata> of(FunctionId function, OwnerReference owner, PodSettings settings) {
        List<HasMetadata> objects = new ArrayList<>();
        if (!settings.serviceAccountAnnotations().isEmpty()) {
            objects.add(new ServiceAccountBuilder()
                    .withMetadata(Templates.metadata(function, Names.companion(function.name()), owner))
                    .editMetadata()
                    .withAnnotations(new TreeMap<>(settings.serviceAccountAnnotations()))
                    .endMetadata()
                    .withAutomountServiceAccountToken(false)
                    .build());
        }
        Map<String, String> secrets = secrets(settings.store());
        if (!secrets.isEmpty()) {
            secrets.replaceAll((_, value) -> Base64.getEncoder().encodeToString(value.getBytes(UTF_8)));
            objects.add(new SecretBuilder()
                    .withMetadata(Templates.metadata(function, Names.companion(function.name()), owner))
                    .withType("Opaque")
                    .withData(secrets)
                    .build());
        }
        return objects;
    }
}
