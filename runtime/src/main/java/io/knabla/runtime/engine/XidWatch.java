package io.knabla.runtime.engine;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;

/** Counts the errors that NVIDIA's driver reports of a GPU. */
final class XidWatch {
    private XidWatch() {}

    /**
     * Begins to wait for errors, in a thread that does not keep the process alive: the management library takes a while
     * to open. Without that library nothing is counted.
     *
     * @param first gets the first error of each number
     * @return how many there were so far, by their number
     */
    static Map<Integer, LongAdder> start(CudaDevice device, Consumer<Xid> first) {
        Map<Integer, LongAdder> counts = new ConcurrentHashMap<>();
        Thread.ofPlatform()
                .daemon()
                .name("xids")
                .start(() -> NvmlDevice.of(device)
                        .ifPresent(gpu -> gpu.awaitXids(number -> {
                            LongAdder count = counts.computeIfAbsent(number, _ -> new LongAdder());
                            count.increment();
                            if (count.sum() == 1) {
                                first.accept(Xid.of(number));
                            }
                        })));
        return counts;
    }
}
