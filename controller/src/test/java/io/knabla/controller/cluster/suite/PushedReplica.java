package io.knabla.controller.cluster.suite;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** The replica's image of this checkout, pushed to where the cluster finds it. */
public final class PushedReplica {
    private static final Path NAMES = TestCluster.ROOT.resolve("k8s/images/kustomization.yaml");

    private static String image;

    private PushedReplica() {}

    /**
     * Pushed once for all classes, with its digest; the names in {@code k8s/images} stay as they are. Who writes them
     * too synchronises on this class.
     */
    public static synchronized String image() throws IOException {
        if (image == null) {
            image = push();
        }
        return image;
    }

    private static String push() throws IOException {
        String names = Files.readString(NAMES);
        String pushed = Ran.of(
                        List.of(
                                TestCluster.ROOT.resolve("knabla").toString(),
                                "images",
                                "--push",
                                TestCluster.registry() + "/knabla",
                                "-q",
                                "-o",
                                "json"),
                        Map.of(),
                        "")
                .good()
                .out();
        Files.writeString(NAMES, names);
        for (JsonNode made : new ObjectMapper().readTree(pushed).path("images")) {
            if (made.path("name").asText().equals("replica")) {
                return made.path("image").asText();
            }
        }
        throw new AssertionError("images named no replica: " + pushed);
    }
}
