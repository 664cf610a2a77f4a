package io.knabla.controller.deploy;

import io.knabla.controller.catalog.FunctionRecord;
import java.util.List;
import java.util.Optional;

/** What the platform sees of a function right now, for people who ask. */
public interface FunctionStatus {
    Status of(FunctionRecord record);

    /**
     * @param readyVersion the newest version that has proved that it works
     * @param url where it answers; empty where the controller itself takes its requests
     * @param ready replicas that answer, of any version
     * @param starting replicas on their way
     */
    record Status(
            Optional<Integer> readyVersion,
            Optional<String> url,
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
