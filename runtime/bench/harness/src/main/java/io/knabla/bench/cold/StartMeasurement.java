package io.knabla.bench.cold;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Measurements of one cold start.
 *
 * @param millis time until the first correct answer; of the last server if there are several
 * @param cpuMillis CPU time of the started processes
 * @param details more figures by name: phases, CPU, memory
 */
public record StartMeasurement(double millis, double cpuMillis, Map<String, Double> details) {
    public StartMeasurement {
        details = Collections.unmodifiableMap(new LinkedHashMap<>(details));
    }
}
