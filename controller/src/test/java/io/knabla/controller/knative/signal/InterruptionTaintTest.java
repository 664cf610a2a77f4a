package io.knabla.controller.knative.signal;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Taint;
import io.knabla.controller.knative.signal.InterruptionTaint.Cause;
import io.knabla.controller.spot.signal.CapacitySignal;
import io.knabla.controller.spot.signal.CapacitySignal.Kind;
import java.time.Instant;
import java.util.Optional;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class InterruptionTaintTest {
    private static final Instant SINCE = Instant.parse("2026-11-23T12:00:00.123Z");

    private static Node node(Taint taint) {
        return new NodeBuilder()
                .withNewMetadata()
                .withName("a")
                .endMetadata()
                .withNewSpec()
                .addToTaints(taint)
                .endSpec()
                .build();
    }

    @Property
    void isReadAsItWasWrittenAndIsALabelValue(@ForAll Kind kind, @ForAll Cause cause) {
        var written = new InterruptionTaint(kind, cause, SINCE, SINCE.plusSeconds(120));

        assertThat(InterruptionTaint.of(node(written.taint()))).contains(written);
        assertThat(written.taint().getValue()).matches("[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?");
        // An administrator's cordon says nothing of the provider.
        assertThat(NodeTaints.signal(node(written.taint()), SINCE))
                .isEqualTo(Optional.of(new CapacitySignal("a", kind, written.until()))
                        .filter(_ -> cause != Cause.CORDONED));
        assertThat(NodeTaints.announced(node(written.taint()), SINCE)).isEmpty();
    }

    @Test
    void whatOtherControllersWriteIsNotRead() {
        for (String value : new String[] {null, "", "GONE", "GONE.OTHER.1.2", "SOON.TAINTED.1.2"}) {
            assertThat(InterruptionTaint.of(node(new Taint("NoSchedule", InterruptionTaint.KEY, null, value))))
                    .isEmpty();
        }
    }
}
