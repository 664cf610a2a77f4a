package io.knabla.controller.knative.status;

import static io.knabla.controller.knative.status.RecordedCasesTest.condition;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Condition;
import io.knabla.controller.catalog.FunctionRecord;
import io.knabla.controller.catalog.Version;
import io.knabla.functions.spec.FunctionSpec.TrafficTarget;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests the message for a missing unit of an older version and the fingerprint of a missing newest unit. */
class MissingUnitTest {
    @Test
    void namesRemedyForMissingUnitOfOlderVersion() {
        FunctionSnapshot seen = Recordings.merged("crash", "good");
        FunctionRecord shared = Recordings.record(2, new TrafficTarget(1, 100));
        Version first = shared.versions().getFirst();
        var own = new Version(1, first.spec(), Recordings.OTHER, first.model(), first.created());
        FunctionRecord older = shared.with(List.of(own, shared.latest()), shared.traffic());

        Condition ready = ready(seen, older);

        assertThat(ready.getReason()).isEqualTo("UnitMissing");
        assertThat(ready.getMessage())
                .startsWith("version 1: ")
                .contains(".json' is not in the store s3://models.")
                .endsWith("give version 1's requests to another with spec.traffic or ./knabla traffic.");
        assertThat(MissingUnit.fingerprint(seen, older)).isEmpty();
        assertThat(ready(seen, shared).getMessage()).endsWith("Deploy the function again, or correct KNABLA_STORE.");
        assertThat(MissingUnit.fingerprint(seen, shared)).isPresent();
        assertThat(MissingUnit.fingerprint(Recordings.snapshot("onspot"), Recordings.record(1)))
                .isEmpty();
    }

    private static Condition ready(FunctionSnapshot seen, FunctionRecord record) {
        return condition(FunctionStatusBuilder.status(Recordings.input(seen, record), null, Recordings.NOW), "Ready");
    }
}
