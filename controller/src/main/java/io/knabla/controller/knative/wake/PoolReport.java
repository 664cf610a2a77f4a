package io.knabla.controller.knative.wake;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.HashSet;
import java.util.Set;

/**
 * What a pool says of its functions.
 *
 * @param calledOften names of functions that pods of their own should serve
 */
record PoolReport(Set<String> calledOften) {
    /** Within the 20 seconds that a pool counts; fewer calls are served by the pool at less memory. */
    static final int OFTEN = 3;

    private static final ObjectMapper JSON = new ObjectMapper();

    PoolReport {
        calledOften = Set.copyOf(calledOften);
    }

    static PoolReport parse(String json) throws IOException {
        Set<String> often = new HashSet<>();
        for (var function : JSON.readTree(json).path("functions").properties()) {
            JsonNode calls = function.getValue();
            if (calls.path("recent").asInt() >= OFTEN || calls.path("refused").asBoolean()) {
                often.add(function.getKey());
            }
        }
        return new PoolReport(often);
    }
}
