package io.knabla.controller.knative.usage;

import static io.knabla.controller.knative.usage.Objects.DELETED;
import static io.knabla.controller.knative.usage.Objects.READY;
import static io.knabla.controller.knative.usage.Objects.at;
import static io.knabla.controller.knative.usage.Objects.ended;
import static io.knabla.controller.knative.usage.Objects.node;
import static io.knabla.controller.knative.usage.Objects.pod;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.knabla.controller.knative.resource.FunctionObjectStatus.Cost;
import io.knabla.controller.price.Price;
import io.knabla.controller.price.PriceRow;
import io.knabla.controller.price.Provenance;
import io.knabla.controller.price.RowBook;
import io.knabla.controller.usage.Interval;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class CostNowTest {
    private static final Instant NOW = at("14:00:00");
    private static final Interval ALWAYS = new Interval(at("00:00:00"), Optional.empty());
    private static final RowBook BOOK = new RowBook(List.of(
            new PriceRow.OnDemand("m7i.large", "us-east-1", ALWAYS, usd("0.10")),
            new PriceRow.Spot("m7i.large", "us-east-1", "use1-az4", ALWAYS, usd("0.038"))));
    private static final String TYPE =
            "node.kubernetes.io/instance-type: m7i.large, topology.kubernetes.io/region: us-east-1, topology.k8s.aws/zone-id: use1-az4";
    private static final Node SPOT = node("{karpenter.sh/capacity-type: spot, " + TYPE + "}", "[]");
    private static final Node ON_DEMAND = node("{" + TYPE + "}", "[]");

    private static Price usd(String amount) {
        return new Price(new BigDecimal(amount), new Provenance(Provenance.Quality.DECLARED, "test", NOW));
    }

    private static Optional<Cost> cost(Node node, Pod... pods) {
        return CostNow.of(List.of(pods), List.of(node), BOOK, NOW);
    }

    /**
     * A pod requests 0.525 CPUs and 0.3125 GiB, which weigh 0.525 x 0.031611 + 0.3125 x 0.004237 = 0.0179198; the node
     * has 2 and 8 GiB, 0.097118. That is 0.184516 of it, which costs 0.0184516 on demand and 0.0070116 on spot.
     */
    @Test
    void replicasCostTheirShareOfTheirNode() {
        assertThat(cost(ON_DEMAND, pod(READY))).contains(new Cost("0.018", "0%"));
        assertThat(cost(SPOT, pod(READY))).contains(new Cost("0.007", "62%"));
        assertThat(cost(SPOT, pod(READY), pod(READY))).contains(new Cost("0.014", "62%"));
    }

    @Test
    void aFunctionThatSleepsCostsNothing() {
        assertThat(cost(SPOT)).contains(new Cost("0", null));
        assertThat(cost(
                        SPOT,
                        pod(
                                DELETED,
                                ended(
                                        "Succeeded",
                                        "state: {terminated: {exitCode: 0, finishedAt: \"2026-11-21T14:00:04Z\"}}"))))
                .contains(new Cost("0", null));
    }

    @Test
    void nothingIsSaidWithoutThePriceOfEachNode() {
        assertThat(cost(node("{}", "[]"), pod(READY))).isEmpty();
        assertThat(CostNow.of(List.of(pod(READY)), List.of(), BOOK, NOW)).isEmpty();
    }
}
