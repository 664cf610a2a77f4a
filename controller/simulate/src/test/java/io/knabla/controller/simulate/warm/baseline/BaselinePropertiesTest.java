package io.knabla.controller.simulate.warm.baseline;

import io.knabla.controller.warm.policy.PolicyPropertiesTest;
import io.knabla.controller.warm.policy.WarmPolicy;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Provide;

/** What holds for every policy, of those that were published. */
class BaselinePropertiesTest extends PolicyPropertiesTest {
    @Override
    @Provide
    protected Arbitrary<WarmPolicy> policies() {
        return Arbitraries.of(
                new HybridPolicy(60),
                new LsthPolicy(60),
                new SpesPolicy(SpesPolicy.MARGIN_MINUTES),
                new TimerPolicy(60_000),
                new RainbowCakePolicy(RainbowCakePolicy.ALPHA));
    }
}
