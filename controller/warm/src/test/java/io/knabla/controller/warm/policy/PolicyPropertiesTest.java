package io.knabla.controller.warm.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** What holds for every policy, whatever comes. */
public class PolicyPropertiesTest {
    private static final FunctionProfile PROFILE = FunctionProfile.of("f", StartCost.measured(0.5));

    @Provide
    protected Arbitrary<WarmPolicy> policies() {
        return Arbitraries.of(
                FixedPolicy.never(),
                FixedPolicy.always(),
                FixedPolicy.fixed(600_000),
                AdaptivePolicy.worth(1e-5),
                AdaptivePolicy.worth(AdaptivePolicy.COLD_START_COST),
                AdaptivePolicy.worth(1));
    }

    /** Idle times of a bursty, or of a nearly regular function, in milliseconds. */
    @Provide
    protected Arbitrary<List<Long>> idles() {
        Arbitrary<Long> any = Arbitraries.doubles().between(0, 32).map(power -> (long) Math.pow(2, power));
        Arbitrary<Long> regular = Arbitraries.longs().between(3_599_000, 3_601_000);
        return Arbitraries.oneOf(
                any.list().ofMaxSize(80), regular.list().ofMinSize(10).ofMaxSize(80));
    }

    @Property(tries = 100)
    public void decisionsAreNeverInThePast(@ForAll("policies") WarmPolicy policy, @ForAll("idles") List<Long> idles) {
        FunctionPolicy function = policy.forFunction(PROFILE);
        long now = 0;
        for (long idle : idles) {
            now = serve(function, now);
            Decision decision = function.decide(0, now + function.minimumKeepMillis());
            for (Window window : decision.windows()) {
                assertThat(window.from()).isGreaterThanOrEqualTo(now + function.minimumKeepMillis());
                assertThat(window.until()).isGreaterThanOrEqualTo(window.from());
            }
            now += idle;
        }
    }

    @Property(tries = 100)
    public void aRestoredStateDecidesAlike(
            @ForAll("policies") WarmPolicy policy,
            @ForAll("idles") List<Long> before,
            @ForAll("idles") List<Long> after) {
        FunctionPolicy original = policy.forFunction(PROFILE);
        long now = 0;
        for (long idle : before) {
            now = serve(original, now) + idle;
        }
        FunctionPolicy restored = policy.forFunction(PROFILE);
        assertThat(restored.restore(original.state())).isTrue();
        for (long idle : after) {
            now = serve(original, now);
            serve(restored, now - 50);
            long asked = now + original.minimumKeepMillis();
            assertThat(restored.decide(0, asked)).isEqualTo(original.decide(0, asked));
            now += idle;
        }
        assertThat(restored.state().values()).isEqualTo(original.state().values());
    }

    private static long serve(FunctionPolicy function, long now) {
        function.started(0, now);
        function.ended(0, now + 50);
        return now + 50;
    }

    @Property(tries = 100)
    public void aStateIsSmallAndFinite(@ForAll("policies") WarmPolicy policy, @ForAll("idles") List<Long> idles) {
        FunctionPolicy function = policy.forFunction(PROFILE);
        long now = 0;
        for (long idle : idles) {
            now = serve(function, now) + idle;
        }

        assertThat(function.state().values()).hasSizeLessThan(300);
        assertThat(Arrays.stream(function.state().values())).allMatch(Double::isFinite);
    }

    @Property(tries = 50)
    public void aForeignStateIsNotRestored(@ForAll("policies") WarmPolicy policy) {
        FunctionPolicy function = policy.forFunction(PROFILE);
        SavedState own = function.state();

        assertThat(function.restore(new SavedState(SavedState.VERSION + 1, own.policy(), own.values())))
                .isFalse();
        assertThat(function.restore(new SavedState(own.version(), "Other", own.values())))
                .isFalse();
        assertThat(function.restore(new SavedState(own.version(), own.policy(), new double[10_000])))
                .isFalse();
    }
}
