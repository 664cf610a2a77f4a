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
import java.util.Set;

/** Produces the rights of the account on a cluster; on a laptop none of its beans is created. */
@ApplicationScoped
class RightsBeans {
    @Produces
    @Singleton
    @ForPlatform(ClusterKind.Knative)
    static AccountRights rights(
            KubernetesClient client,
            @ForPlatform(ClusterKind.Knative) Leadership leadership,
            Clock clock,
            Settings settings) {
        Set<AccountTask> tasks = EnumSet.allOf(AccountTask.class);
        if (!settings.spot().act()) {
            tasks.remove(AccountTask.MOVE);
        }
        return new AccountRights(tasks, new AccessReviews(client)::isAllowed, clock, leadership::leads);
    }
}
