package io.knabla.controller.simulate.spot.baseline;

import io.knabla.controller.spot.policy.PlanPropertiesTest;
import io.knabla.controller.spot.policy.SpotPolicy;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Provide;

/** What no plan of any policy may do, of the policy for work with a deadline. */
class UniformProgressPropertiesTest extends PlanPropertiesTest {
    @Override
    @Provide
    protected Arbitrary<SpotPolicy> policies() {
        return Arbitraries.of(UniformProgress.start());
    }
}
