package io.knabla.controller.knative.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.catalog.FunctionId;
import io.knabla.controller.deploy.DeployResult;
import io.knabla.controller.knative.status.PackagingState;
import io.knabla.controller.standin.Specs;
import io.knabla.functions.spec.FunctionResource;
import io.knabla.functions.unit.Digest;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.junit.jupiter.api.Test;

class PackagingQueueTest {
    private static final String UID = "uid";
    private static final Digest MISSED = new Digest("sha256:" + "a".repeat(64));
    private static final Digest OTHER = new Digest("sha256:" + "b".repeat(64));

    private final Queue<Runnable> line = new ArrayDeque<>();
    private final List<FunctionResource> packaged = new ArrayList<>();
    private final List<String> told = new ArrayList<>();
    private Runnable during = () -> {};
    private Instant now = Instant.EPOCH;
    private final PackagingQueue packagings = new PackagingQueue(
            order -> deploy(order.resource()), line::add, ((InstantSource) () -> now).withZone(ZoneOffset.UTC));

    @Test
    void notifiesTheLastCallerOfTheEnd() {
        packagings.submit(UID, order(1), () -> told.add("the former leader"));
        during = () -> packagings.submit(UID, order(1), () -> told.add("the leader"));
        line.remove().run();

        assertThat(told).containsExactly("the leader");
        assertThat(packagings.submit(UID, order(1), () -> {}).packaging()).isInstanceOf(PackagingState.Ended.class);
    }

    @Test
    void doesNotForgetARunningPackaging() {
        packagings.submit(UID, order(1), () -> told.add("ended"));
        during = () -> packagings.forget(UID);
        line.remove().run();

        assertThat(told).containsExactly("ended");
        assertThat(packagings.isNew(UID)).isFalse();
    }

    @Test
    void dropsAQueuedPackagingWithItsFunction() {
        packagings.submit(UID, order(1), () -> told.add("ended"));

        packagings.forget(UID);
        assertThat(packagings.isRunning(UID)).isFalse();
        line.remove().run();
        assertThat(packaged).isEmpty();
        assertThat(told).isEmpty();
    }

    @Test
    void packagesTheLatestSpecOfTheQueue() {
        packagings.submit(UID, order(1), () -> {});
        packagings.submit(UID, order(2), () -> {});
        line.remove().run();

        assertThat(packaged).containsExactly(wish(2));
        assertThat(line).isEmpty();
    }

    @Test
    void retriesAtOnceWhenAMissingFileArrives() {
        packagings.submit(UID, order(1), () -> told.add("looked for"));
        line.remove().run();
        told.clear();

        packagings.fileArrived(OTHER);
        assertThat(told).isEmpty();
        packagings.fileArrived(MISSED);
        assertThat(told).containsExactly("looked for");
        assertThat(packagings.submit(UID, order(1), () -> {}).packaging()).isInstanceOf(PackagingState.Waiting.class);
        line.remove().run();
        assertThat(packaged).hasSize(2);
    }

    @Test
    void reportsTheMissingFilesDuringARetry() {
        packagings.submit(UID, order(1), () -> {});
        line.remove().run();
        now = now.plus(Duration.ofHours(1));

        var again = packagings.submit(UID, order(1), () -> {});
        assertThat(line).hasSize(1);
        assertThat(again.packaging())
                .isEqualTo(new PackagingState.Ended(new DeployResult.ModelMissing(List.of(MISSED))));
        assertThat(again.again()).isEmpty();
    }

    private DeployResult deploy(FunctionResource wish) {
        packaged.add(wish);
        during.run();
        return new DeployResult.ModelMissing(List.of(MISSED));
    }

    private static PackagingQueue.PackagingRequest order(int concurrency) {
        return new PackagingQueue.PackagingRequest(wish(concurrency), UID, new RecordOwnership("here"));
    }

    private static FunctionResource wish(int concurrency) {
        FunctionId id = OperatorFixture.DIGITS;
        return new FunctionResource(
                id.namespace(),
                id.name(),
                Specs.inference()
                        .scaling(0, 10, concurrency, Duration.ofSeconds(60))
                        .spec());
    }
}
