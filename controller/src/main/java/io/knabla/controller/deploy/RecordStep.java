package io.knabla.controller.deploy;

import io.knabla.controller.catalog.Catalog;
import io.knabla.controller.catalog.FunctionId;
import io.knabla.controller.catalog.FunctionRecord;
import io.knabla.controller.deploy.DeployResult.Deployed;
import io.knabla.controller.deploy.DeployResult.Refused;
import io.knabla.controller.deploy.DeployResult.Unchanged;
import io.knabla.controller.deploy.PackageStep.PackageResult;
import io.knabla.controller.gc.DeployLeases.LeaseResult;
import io.knabla.controller.platform.FunctionResources;
import io.knabla.functions.Fault;
import io.knabla.functions.spec.FunctionResource;
import io.knabla.functions.spec.SpecWarnings;
import io.knabla.functions.unit.Digest;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** Records the version of a deploy in the catalog, by one conditional write; the last step. */
@Singleton
final class RecordStep {
    private final Catalog catalog;
    private final FunctionResources resources;
    private final SizeCheck sizes;
    private final MachineFit machine;
    private final PoolStep pools;
    private final PrefillCheck prefill;
    private final Clock clock;

    RecordStep(
            Catalog catalog,
            FunctionResources resources,
            SizeCheck sizes,
            MachineFit machine,
            PoolStep pools,
            PrefillCheck prefill,
            Clock clock) {
        this.catalog = catalog;
        this.resources = resources;
        this.sizes = sizes;
        this.machine = machine;
        this.pools = pools;
        this.prefill = prefill;
        this.clock = clock;
    }

    /**
     * Conditions of the catalog write.
     *
     * @param pin lease that must still be held: it keeps the unit from garbage collection
     * @param claim further change to the record in the same write, such as setting its owner
     */
    record WriteConditions(LeaseResult.DeployLease pin, UnaryOperator<FunctionRecord> claim) {}

    /** Faults that are known before any work is done. */
    List<Fault> faults(FunctionResource resource) {
        var id = new FunctionId(resource.namespace(), resource.name());
        return Stream.of(
                        NextVersion.trafficFaults(catalog.find(id), resource),
                        sizes.faults(resource.spec()),
                        PrefillCheck.faults(resource),
                        CalledNames.faults(resource, catalog.list()))
                .flatMap(List::stream)
                .toList();
    }

    /** The resource with the pool that its new version gets. */
    PlacedResource placed(FunctionResource resource, Digest unit) {
        return pools.decide(resource, unit);
    }

    /** @param warnings of the previous steps */
    DeployResult run(PlacedResource placed, PackageResult.Unit unit, List<String> warnings, WriteConditions terms) {
        FunctionResource resource = placed.resource();
        var id = new FunctionId(resource.namespace(), resource.name());
        // Before the write: what reads the store may fail, and then nothing is recorded.
        List<String> all = new ArrayList<>(warnings);
        sizes.warning(resource.spec(), unit.digest()).ifPresent(all::add);
        all.addAll(machine.warnings(resource.spec().resources()));
        all.addAll(SpecWarnings.of(resource.spec()));
        all.addAll(prefill.warnings(resource, unit.digest()));
        var change = new NextVersion(placed, unit.digest(), unit.model(), clock.instant());
        // The catalog may call this more than once; it wrote the last result.
        var last = new AtomicReference<NextVersion.Answer>();
        FunctionRecord written;
        try {
            written = catalog.update(id, current -> {
                terms.pin().confirm();
                NextVersion.Answer next = change.after(current);
                last.set(resources.ownsTraffic() ? next.withTrafficOf(current) : next);
                return terms.claim().apply(last.get().record());
            });
        } catch (FaultsException invalid) {
            return new Refused(invalid.faults());
        }
        all.addAll(last.get().warnings());
        return last.get().added()
                ? new Deployed(written, last.get().record().latest(), all)
                : new Unchanged(written, written.latest(), all);
    }
}
