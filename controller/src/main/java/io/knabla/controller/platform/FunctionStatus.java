package io.knabla.controller.platform;

import io.knabla.controller.catalog.FunctionRecord;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reports the current status of a function: ready version, URL, replicas and conditions. */
public interface FunctionStatus {
    Status of(FunctionRecord record);

    /**
     * @param readyVersion the newest version that became ready
     * @param url of the function; empty when the controller itself serves its requests
     * @param tagUrls by tag; without those that the controller itself serves
     * @param ready number of ready replicas of any version
     * @param starting number of starting replicas
     */
    record Status(
            Optional<Integer> readyVersion,
            Optional<String> url,
            Map<String, String> tagUrls,
            int ready,
            int starting,
            int onDemand,
            int spot,
            List<Condition> conditions) {
        public Status {
            conditions = List.copyOf(conditions);
        }
    }

    /**
     * @param type Packaged, Placed or Ready
     * @param status True, False or Unknown, as in Kubernetes
     * @param reason one word for machines
     * @param message a sentence for people
     */
    record Condition(String type, String status, String reason, String message) {}
}
