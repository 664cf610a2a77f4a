package io.knabla.controller.knative.usage;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.knabla.controller.knative.capacity.ClusterNode;
import java.math.BigDecimal;
import java.util.Map;
import org.junit.jupiter.api.Test;

class AmountsTest {
    private static PodBuilder withGpus(String number) {
        return new PodBuilder()
                .withNewSpec()
                .addNewContainer()
                .withNewResources()
                .addToLimits(ClusterNode.GPU, new Quantity(number))
                .endResources()
                .endContainer()
                .endSpec();
    }

    private static Pod onNodesWithShares(String parts) {
        return withGpus("1")
                .editSpec()
                .withNewAffinity()
                .withNewNodeAffinity()
                .withNewRequiredDuringSchedulingIgnoredDuringExecution()
                .addNewNodeSelectorTerm()
                .addNewMatchExpression()
                .withKey(ClusterNode.GPU_REPLICAS)
                .withOperator("In")
                .withValues(parts)
                .endMatchExpression()
                .endNodeSelectorTerm()
                .endRequiredDuringSchedulingIgnoredDuringExecution()
                .endNodeAffinity()
                .endAffinity()
                .endSpec()
                .build();
    }

    @Test
    void podOnSharedNodesHoldsItsShare() {
        assertThat(Amounts.requested(onNodesWithShares("4")).gpus()).isEqualTo(new BigDecimal("0.25"));
        assertThat(Amounts.requested(onNodesWithShares("5")).gpus()).isEqualTo(new BigDecimal("0.2"));
    }

    @Test
    void anyOtherPodHoldsWholeGpus() {
        assertThat(Amounts.requested(withGpus("2").build()).gpus()).isEqualTo(new BigDecimal("2"));
        assertThat(Amounts.requested(onNodesWithShares("many")).gpus()).isEqualTo(new BigDecimal("1"));
    }

    @Test
    void sharesUnderOtherNamesCountToo() {
        assertThat(Amounts.of(Map.of("nvidia.com/gpu.shared", new Quantity("1")))
                        .gpus())
                .isEqualTo(new BigDecimal("1"));
        assertThat(Amounts.of(Map.of("nvidia.com/mig-1g.10gb", new Quantity("1")))
                        .gpus())
                .isEqualTo(new BigDecimal("0.142857"));
        assertThat(Amounts.of(Map.of("nvidia.com/mig-7g.80gb", new Quantity("1")))
                        .gpus())
                .isEqualTo(new BigDecimal("1"));
        assertThat(Amounts.of(Map.of("nvidia.com/gpumem", new Quantity("4000"))).gpus())
                .isEqualTo(BigDecimal.ZERO);
    }
}
