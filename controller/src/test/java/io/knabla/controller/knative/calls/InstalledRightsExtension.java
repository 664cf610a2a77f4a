package io.knabla.controller.knative.calls;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Fails a test in which the controller's code called the Kubernetes API without a right of {@code k8s/base}: on an
 * installed platform the API server refuses that call. Registered for all tests of this module.
 */
public final class InstalledRightsExtension implements AfterEachCallback, AfterAllCallback {
    @Override
    public void afterEach(ExtensionContext test) {
        check();
    }

    @Override
    public void afterAll(ExtensionContext tests) {
        check();
    }

    private static void check() {
        assertThat(RecordingHttpClientFactory.CALLS.takeWithout(ShippedRights.ALL))
                .as("calls for which k8s/base grants the controller no right")
                .isEmpty();
    }
}
