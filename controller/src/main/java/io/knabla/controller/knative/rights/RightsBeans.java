package io.knabla.controller.knative.rights;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.knabla.controller.config.ForPlatform;
import io.knabla.controller.config.Settings;
import io.knabla.controller.config.Settings.ClusterKind;
import io.knabla.controller.knative.leader.Leadership;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Produces what asks for the rights of the service account on a cluster; on a laptop none of its beans is created. */
@ApplicationScoped
class RightsBeans {
    @Produces
    @Singleton
    @ForPlatform(ClusterKind.Knative)
    static RefusedTasks refusedTasks(
            KubernetesClient client,
            @ForPlatform(ClusterKind.Knative) Leadership leadership,
            Clock clock,
            Settings settings) {
        Set<PrivilegedTask> tasks = EnumSet.allOf(PrivilegedTask.class);
        if (!settings.spot().act()) {
            tasks.remove(PrivilegedTask.MOVE);
        }
        var reviews = new AccessReviews(client, settings.cluster().namespaces().orElse(List.of()));
        return new RefusedTasks(tasks, reviews::isAllowed, clock, leadership::leads);
    }
}
