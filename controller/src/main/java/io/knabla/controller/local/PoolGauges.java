package io.knabla.controller.local;

import io.knabla.controller.local.pool.PoolMember;
import io.knabla.controller.local.pool.ReplicaPool;
import io.knabla.controller.machine.ProcessMemory;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;

/** Registers the metrics of the pool: {@code knabla.pool.replicas} and {@code knabla.pool.memory}. */
final class PoolGauges {
    private PoolGauges() {}

    static void register(ReplicaPool pool, MeterRegistry meters) {
        Gauge.builder("knabla.pool.replicas", pool, it -> it.idle().size())
                .description("Generic replicas that wait for a function")
                .register(meters);
        Gauge.builder("knabla.pool.memory", pool, PoolGauges::bytes)
                .description("Memory of the generic replicas that wait for a function, without shared files")
                .baseUnit("bytes")
                .register(meters);
    }

    private static double bytes(ReplicaPool pool) {
        return pool.idle().stream()
                .map(PoolMember::process)
                .mapToLong(
                        process -> ProcessMemory.anonymousBytes(process.pid()).orElse(0))
                .sum();
    }
}
