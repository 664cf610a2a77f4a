package io.knabla.controller.knative.suite;

import java.io.IOException;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** For classes that run controllers outside the cluster: an installed one would take their functions for its own. */
final class NoInstalledPlatform implements BeforeAllCallback {
    @Override
    public void beforeAll(ExtensionContext test) throws IOException {
        InstalledPlatform.uninstall(test);
        var cluster = new TestCluster();
        cluster.awaitEarlierNamespaces();
        cluster.client().close();
    }
}
