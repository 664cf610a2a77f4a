package io.knabla.runtime.modes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.knabla.functions.unit.UnitException;
import io.knabla.runtime.units.AnalyticModels;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LoadedUnitTest {
    /** The process exits after this failure, which must not happen while a thread loads the native library. */
    @Test
    void missingUnitFailsAfterEngineIsLoaded() throws Exception {
        try (var unit = AnalyticModels.tanh()) {
            Map<String, String> environment = unit.environment();
            environment.put("KNABLA_UNIT", "sha256:" + "0".repeat(64));
            Settings settings = Settings.parse(environment);

            assertThatThrownBy(() -> LoadedUnit.loadForTrial(settings)).isInstanceOf(UnitException.class);
            assertThat(Thread.getAllStackTraces().keySet())
                    .extracting(Thread::getName)
                    .doesNotContain("engine");
        }
    }
}
