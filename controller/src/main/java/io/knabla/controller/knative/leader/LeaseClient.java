package io.knabla.controller.knative.leader;

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

/** Reads and writes one Lease of the API server on behalf of one controller. */
public final class LeaseClient {
    private static final PatchContext MERGE = PatchContext.of(PatchType.JSON_MERGE);

    private static final String NAME = "knabla-operator";

    /** Characters of the hash: two different lists of namespaces collide once in 10^12. */
    private static final int HASH = 10;

    private final KubernetesClient client;
    private final String namespace;
    private final String name;
    private final String identity;
    private final LeaseTimes times;
    private final Clock clock;

    public LeaseClient(
            KubernetesClient client, String namespace, String name, String me, LeaseTimes times, Clock clock) {
        this.client = client;
        this.namespace = namespace;
        this.name = name;
        this.identity = me;
        this.times = times;
        this.clock = clock;
    }

    /**
     * Names the Lease after the namespaces: controllers of different namespaces do not compete.
     *
     * @param namespaces that the controller reconciles; empty for all
     */
    public static String name(List<String> namespaces) {
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

    String identity() {
        return identity;
    }

    boolean isMine(Lease lease) {
        return lease.getSpec() != null && identity.equals(lease.getSpec().getHolderIdentity());
    }

    /** Creates an informer that retries by itself when it fails. */
    SharedIndexInformer<Lease> follow() {
        return client.leases()
                .inNamespace(namespace)
                .withName(name)
                .runnableInformer(0)
                .exceptionHandler((_, _) -> true);
    }

    /** Writes the Lease as held by this controller; the API server answers 409 if it changed since {@code seen}. */
    Lease claim(Optional<Lease> seen) {
        ZonedDateTime now = now();
        Optional<LeaseSpec> before = seen.map(Lease::getSpec);
        boolean mine = seen.filter(this::isMine).isPresent();
        int transitions = before.map(LeaseSpec::getLeaseTransitions).orElse(0);
        Lease claimed = like(seen)
                .withNewSpec()
                .withHolderIdentity(identity)
                .withLeaseDurationSeconds((int) times.leaseDuration().toSeconds())
                .withAcquireTime(
                        before.filter(_ -> mine).map(LeaseSpec::getAcquireTime).orElse(now))
                .withRenewTime(now)
                .withLeaseTransitions(mine || before.isEmpty() ? transitions : transitions + 1)
                .endSpec()
                .build();
        return seen.isPresent()
                ? withShortTimeout().resource(claimed).patch(MERGE)
                : withShortTimeout().resource(claimed).create();
    }

    /** Clears the holder, which lets another controller lead at once. */
    Lease release(Lease mine) {
        Lease free = like(Optional.of(mine))
                .withNewSpec()
                .withHolderIdentity("")
                .withRenewTime(now())
                .endSpec()
                .build();
        return withShortTimeout().resource(free).patch(MERGE);
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

    /** A client with a short timeout and no retries: a late answer is useless, and retries would hide the outage. */
    private KubernetesClient withShortTimeout() {
        return client.newClient(new RequestConfigBuilder()
                        .withRequestTimeout((int) times.retryPeriod().toMillis())
                        .withRequestRetryBackoffLimit(0)
                        .build())
                .adapt(KubernetesClient.class);
    }

    private ZonedDateTime now() {
        return clock.instant().atZone(ZoneOffset.UTC).truncatedTo(ChronoUnit.MICROS);
    }
}
