package io.knabla.bench.cold;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * One start.
 *
 * @param millis until the first right answer, of the last server when there are several
 * @param cpuMillis used by what was started
 * @param details more figures by name: phases, CPU, memory
 */
public record Measured(double millis, double cpuMillis, Map<String, Double> details) {
    public Measured {
        details = Collections.unmodifiableMap(new LinkedHashMap<>(details));
    }
}
