package io.knabla.controller.operator;

import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseSpec;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.RequestConfigBuilder;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.knabla.functions.unit.Sha256;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;

/** One Lease of the API server, as one controller reads and writes it. */
final class LeaseBook {
    private static final PatchContext MERGE = PatchContext.of(PatchType.JSON_MERGE);

    private static final String NAME = "knabla-operator";

    /** Of the hash, in characters: lists of namespaces that differ get the same once in 10^12. */
    private static final int HASH = 10;

    private final KubernetesClient client;
    private final String namespace;
    private final String name;
    private final String me;
    private final LeaseTimes times;
    private final Clock clock;

    LeaseBook(KubernetesClient client, String namespace, String name, String me, LeaseTimes times, Clock clock) {
        this.client = client;
        this.namespace = namespace;
        this.name = name;
        this.me = me;
        this.times = times;
        this.clock = clock;
    }

    /**
     * Controllers that look after different namespaces are no rivals, and one must not wait for the other.
     *
     * @param namespaces whose functions are the controller's; empty for all
     */
    static String name(List<String> namespaces) {
        if (namespaces.isEmpty()) {
            return NAME;
        }
        String all = String.join(",", namespaces.stream().distinct().sorted().toList());
        return NAME
                + "-"
                + Sha256.of(all.getBytes(StandardCharsets.UTF_8)).hex().substring(0, HASH);
    }

    LeaseTimes times() {
        return times;
    }

    String me() {
        return me;
    }

    boolean isMine(Lease lease) {
        return lease.getSpec() != null && me.equals(lease.getSpec().getHolderIdentity());
    }

    /** Goes on trying where that fails, so that it need not be started anew. */
    SharedIndexInformer<Lease> follow() {
        return client.leases()
                .inNamespace(namespace)
                .withName(name)
                .runnableInformer(0)
                .exceptionHandler((_, _) -> true);
    }

    /** Refused by the API server where it is not as it was seen. */
    Lease claim(Optional<Lease> seen) {
        ZonedDateTime now = now();
        Optional<LeaseSpec> before = seen.map(Lease::getSpec);
        boolean mine = seen.filter(this::isMine).isPresent();
        int transitions = before.map(LeaseSpec::getLeaseTransitions).orElse(0);
        Lease claimed = like(seen)
                .withNewSpec()
                .withHolderIdentity(me)
                .withLeaseDurationSeconds((int) times.lease().toSeconds())
                .withAcquireTime(
                        before.filter(_ -> mine).map(LeaseSpec::getAcquireTime).orElse(now))
                .withRenewTime(now)
                .withLeaseTransitions(mine || before.isEmpty() ? transitions : transitions + 1)
                .endSpec()
                .build();
        return seen.isPresent()
                ? impatient().resource(claimed).patch(MERGE)
                : impatient().resource(claimed).create();
    }

    /** Lets the next one begin at once. */
    Lease release(Lease mine) {
        Lease free = like(Optional.of(mine))
                .withNewSpec()
                .withHolderIdentity("")
                .withRenewTime(now())
                .endSpec()
                .build();
        return impatient().resource(free).patch(MERGE);
    }

    private LeaseBuilder like(Optional<Lease> seen) {
        return new LeaseBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName(name)
                .withResourceVersion(seen.map(lease -> lease.getMetadata().getResourceVersion())
                        .orElse(null))
                .endMetadata();
    }

    /** An answer that comes late is of no use, and repeated tries would hide that none comes. */
    private KubernetesClient impatient() {
        return client.newClient(new RequestConfigBuilder()
                        .withRequestTimeout((int) times.retry().toMillis())
                        .withRequestRetryBackoffLimit(0)
                        .build())
                .adapt(KubernetesClient.class);
    }

    private ZonedDateTime now() {
        return clock.instant().atZone(ZoneOffset.UTC).truncatedTo(ChronoUnit.MICROS);
    }
}
