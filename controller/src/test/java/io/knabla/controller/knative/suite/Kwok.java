package io.knabla.controller.knative.suite;

import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Lets a test run only where KWOK keeps nodes that exist in the API alone; says so where not. */
public final class Kwok implements ExecutionCondition {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private static Boolean runs;

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        if (runs()) {
            return ConditionEvaluationResult.enabled("KWOK runs");
        }
        System.out.printf(
                "cluster test: SKIPPED %s: KWOK does not run on this cluster (https://kwok.sigs.k8s.io; the test cluster's fake-nodes starts it)%n",
                context.getDisplayName());
        return ConditionEvaluationResult.disabled("KWOK does not run");
    }

    private static synchronized boolean runs() {
        if (runs == null) {
            runs = keepsANode();
        }
        return runs;
    }

    private static boolean keepsANode() {
        var cluster = new TestCluster();
        String name = "kwok-" + UUID.randomUUID().toString().substring(0, 6);
        try (var _ = cluster.client();
                var nodes = new FakeNodes(cluster)) {
            nodes.create(name, Map.of(), 1, 0);
            Awaitility.await().atMost(PATIENCE).until(() -> nodes.isReady(name));
            return true;
        } catch (ConditionTimeoutException nobodyKeepsIt) {
            return false;
        }
    }
}
