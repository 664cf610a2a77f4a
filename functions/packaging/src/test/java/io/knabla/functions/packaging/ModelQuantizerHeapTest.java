package io.knabla.functions.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.functions.Fault;
import org.junit.jupiter.api.Test;

/** Without this bound a large model ends the controller, whose heap is bounded. */
class ModelQuantizerHeapTest {
    private static final long MIB = 1L << 20;

    @Test
    void refusesWeightsThatTheHeapCannotHold() {
        assertThat(ModelQuantizer.exceedsHeap(100 * MIB, 864 * MIB)).isEmpty();
        assertThat(ModelQuantizer.exceedsHeap(100 * MIB + 1, 864 * MIB))
                .contains(
                        new Fault(
                                "spec.quantize.type",
                                "quantising 101 MiB of weights takes up to 865 MiB of heap, and this platform has 864; start it with more (JDK_JAVA_OPTIONS=-Xmx865m ./knabla up), or write type: None"));
    }
}
