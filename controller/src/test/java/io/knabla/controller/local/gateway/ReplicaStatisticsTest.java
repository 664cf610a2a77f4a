package io.knabla.controller.local.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.junit.jupiter.api.Test;

/** Statistics of several replicas of one version. */
class ReplicaStatisticsTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    private static ObjectNode statistics(int last, int rows, String batches) throws Exception {
        return (ObjectNode) JSON.readTree("""
                {"name":"m","version":"1","last_inference":%d,"inference_count":%d,
                 "inference_stats":{"success":{"count":%d,"ns":10}},"response_stats":{},"batch_stats":[%s],"memory_usage":[]}""".formatted(last, rows, rows, batches));
    }

    private static String batch(int size, int count) {
        return "{\"batch_size\":%d,\"compute_infer\":{\"count\":%d,\"ns\":5}}".formatted(size, count);
    }

    @Test
    void addUp() throws Exception {
        ObjectNode sum = statistics(7, 0, "");
        ReplicaStatistics.add(sum, statistics(9, 3, batch(1, 3)));
        ReplicaStatistics.add(sum, statistics(8, 5, batch(1, 1) + "," + batch(4, 1)));
        ObjectNode expected = statistics(9, 8, batch(1, 4).replace("5", "10") + "," + batch(4, 1));
        ((ObjectNode) expected.at("/inference_stats/success")).put("ns", 30);
        assertThat(sum.toString()).isEqualTo(expected.toString());
    }
}
