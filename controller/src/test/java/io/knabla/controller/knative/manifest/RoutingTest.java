package io.knabla.controller.knative.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.catalog.VersionShare;
import io.knabla.controller.knative.manifest.PlacementPlan.Share;
import io.knabla.controller.knative.manifest.Routing.RouteCandidate;
import io.knabla.controller.traffic.Percentages;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.NotEmpty;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the traffic split between versions and slots that are ready, lost or not ready. */
class RoutingTest {
    /** A candidate is version/share/readiness: r ready, s served but not ready, - neither. */
    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
            # scenario                           | wish      | legs                          | split
            one version in one slot              | 1=100     | 1/100/r                       | 1a=100
            two slots                            | 1=100     | 1/90/r 1/10/r                 | 1a=90 1b=10
            a slot that stands by gets nothing   | 1=100     | 1/100/r 1/0/r                 | 1a=100
            a slot that stands by steps in       | 1=100     | 1/100/- 1/0/r                 | 1b=100
            two versions                         | 1=90 2=10 | 1/100/r 2/100/r               | 1a=90 2a=10
            two versions in two slots            | 1=75 2=25 | 1/90/r 1/10/r 2/90/r 2/10/r   | 1a=68 1b=7 2a=23 2b=2
            a version that is not ready waits    | 1=90 2=10 | 1/100/r 2/100/-               | 1a=100
            three, of which one waits            | 1=50 2=30 3=20 | 1/100/r 2/100/- 3/100/r  | 1a=71 3a=29
            a version without traffic gets none  | 1=0 2=100 | 1/100/r 2/100/r               | 2a=100
            nothing is ready                     | 1=100     | 1/100/-                       |
            what lost its pods keeps its share   | 1=90 2=10 | 1/100/s 2/100/r               | 1a=90 2a=10
            a ready slot takes over from a lost  | 1=100     | 1/90/s 1/10/r                 | 1b=100
            all slots lost, all stay             | 1=100     | 1/90/s 1/10/s                 | 1a=90 1b=10
            the smallest share is not lost       | 1=99 2=1  | 1/50/r 1/50/r 2/90/r 2/10/r   | 1a=50 1b=49 2a=1
            """)
    void decides(String scenario, String wish, String legs, String split) {
        Routing routing = Routing.decide(wish(wish), legs(legs));

        assertThat(text(routing.percents())).isEqualTo(split == null ? "" : split);
    }

    @Test
    void keepsEarlierRevisionUntilDesiredOneIsReady() {
        Share share = new Share(PlacementPlanTest.slot("cpu-spot"), 100, 0, 1);
        RouteCandidate before = new RouteCandidate(1, share, "new", Optional.of("old"), Optional.of("old"));

        Routing routing = Routing.decide(wish("1=100"), List.of(before));

        assertThat(routing.percents()).isEqualTo(Map.of("old", 100));
        assertThat(routing.reason()).isEqualTo("waiting for new");
    }

    @Test
    void namesRevisionItWaitsFor() {
        assertThat(Routing.decide(wish("1=90 2=10"), legs("1/100/r 2/100/- 3/100/-"))
                        .reason())
                .isEqualTo("waiting for 2a");
        assertThat(Routing.decide(wish("1=100"), legs("1/100/r 2/100/-")).reason())
                .isEqualTo("every revision that is to have traffic is ready");
        assertThat(Routing.decide(wish("1=100"), legs("1/100/-")).reason())
                .isEqualTo("no version that is to have traffic is ready yet");
    }

    @Test
    void aTagIsOfTheSlotWithTheLargestShareOnceThatIsReady() {
        var canary = new VersionShare(2, true, 0, Optional.of("canary"));
        List<VersionShare> wish = List.of(new VersionShare(1, 100), canary);

        assertThat(Routing.decide(wish, legs("1/100/r 2/10/r 2/90/r")).tags()).isEqualTo(Map.of("canary", "2b"));
        assertThat(Routing.decide(wish, legs("1/100/r 2/10/r 2/90/-")).tags()).isEqualTo(Map.of("canary", "2a"));
        assertThat(Routing.decide(wish, legs("1/100/r 2/100/-")).tags()).isEmpty();
    }

    @Test
    void splitsFirstRouteAsIfAllWereReady() {
        Routing hoped = Routing.assumingReady(wish("1=100"), legs("1/90/- 1/10/-"));

        assertThat(text(hoped.percents())).isEqualTo("1a=90 1b=10");
        assertThat(Routing.assumingReady(wish("1=100"), List.of()).percents()).isEmpty();
    }

    @Property
    void sumsTo100AndUsesOnlyReadyOrServedRevisions(
            @ForAll @NotEmpty @Size(max = 4) List<@IntRange(max = 100) Integer> weights,
            @ForAll @Size(8) List<@IntRange(max = 2) Integer> states,
            @ForAll @Size(8) List<@IntRange(max = 100) Integer> shares) {
        List<Integer> percents = Percentages.share(100, weights);
        List<VersionShare> wish = new ArrayList<>();
        List<RouteCandidate> legs = new ArrayList<>();
        for (int i = 0; i < percents.size(); i++) {
            wish.add(new VersionShare(i + 1, percents.get(i)));
            int spot = shares.get(i);
            legs.add(leg(i + 1, "a", spot, "r-s".substring(states.get(2 * i)).substring(0, 1)));
            legs.add(leg(
                    i + 1,
                    "b",
                    100 - spot,
                    "r-s".substring(states.get(2 * i + 1)).substring(0, 1)));
        }

        Routing routing = Routing.decide(wish, legs);

        int sum =
                routing.percents().values().stream().mapToInt(Integer::intValue).sum();
        assertThat(sum).isIn(0, 100);
        boolean all = legs.stream().allMatch(leg -> leg.ready().isPresent());
        for (Map.Entry<String, Integer> part : routing.percents().entrySet()) {
            RouteCandidate leg = legs.stream()
                    .filter(l -> l.desired().equals(part.getKey()))
                    .findFirst()
                    .orElseThrow();
            assertThat(leg.ready().or(leg::served)).isPresent();
            assertThat(part.getValue()).isPositive();
        }
        if (all) {
            for (VersionShare target : wish) {
                int got = routing.percents().entrySet().stream()
                        .filter(e -> e.getKey().startsWith(target.version() + ""))
                        .mapToInt(Map.Entry::getValue)
                        .sum();
                assertThat(got).isEqualTo(target.percent());
            }
        }
    }

    private static List<VersionShare> wish(String text) {
        return Arrays.stream(text.split(" "))
                .map(part -> part.split("="))
                .map(p -> new VersionShare(Integer.parseInt(p[0]), Integer.parseInt(p[1])))
                .toList();
    }

    private static List<RouteCandidate> legs(String text) {
        List<RouteCandidate> legs = new ArrayList<>();
        for (String part : text.split(" ")) {
            String[] leg = part.split("/");
            int version = Integer.parseInt(leg[0]);
            boolean first = legs.stream().noneMatch(l -> l.version() == version);
            legs.add(leg(version, first ? "a" : "b", Integer.parseInt(leg[1]), leg[2]));
        }
        return legs;
    }

    private static RouteCandidate leg(int version, String slot, int percent, String state) {
        Share share = new Share(PlacementPlanTest.slot(slot.equals("a") ? "cpu-spot" : "cpu-on-demand"), percent, 0, 1);
        String name = version + slot;
        return new RouteCandidate(
                version,
                share,
                name,
                Optional.of(name).filter(_ -> state.equals("r")),
                Optional.of(name).filter(_ -> state.equals("s")));
    }

    private static String text(Map<String, Integer> percents) {
        return new TreeMap<>(percents)
                .entrySet().stream()
                        .map(entry -> entry.getKey() + "=" + entry.getValue())
                        .collect(Collectors.joining(" "));
    }
}
