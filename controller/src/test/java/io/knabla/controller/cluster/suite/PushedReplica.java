package io.knabla.controller.cluster.suite;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Pushes the images of this checkout to where the cluster finds them, once for all classes of a run: the first push
 * takes minutes on a busy machine.
 */
public final class PushedReplica {
    /** {@code images --push} writes the images' names there. */
    static final Path NAMES = TestCluster.ROOT.resolve("k8s/images/kustomization.yaml");

    private static Pushed pushed;

    private PushedReplica() {}

    /**
     * @param image of the replica, with its digest
     * @param names content of {@link #NAMES} that names both images
     */
    private record Pushed(String image, String names) {}

    /** The replica's, with its digest. */
    public static String image() throws IOException {
        return pushed().image();
    }

    /** What a person finds in {@link #NAMES} after the push; the file itself stays as it is. */
    static String names() throws IOException {
        return pushed().names();
    }

    private static synchronized Pushed pushed() throws IOException {
        if (pushed == null) {
            pushed = push();
        }
        return pushed;
    }

    private static Pushed push() throws IOException {
        String before = Files.readString(NAMES);
        long began = System.nanoTime();
        try {
            String out = Ran.of(command(), Map.of(), "").good().out();
            System.out.printf("cluster test: images built and pushed in %.0f s%n", (System.nanoTime() - began) / 1e9);
            return new Pushed(replica(out), Files.readString(NAMES));
        } finally {
            Files.writeString(NAMES, before);
        }
    }

    private static List<String> command() {
        List<String> command = new ArrayList<>(List.of(
                TestCluster.ROOT.resolve("knabla").toString(),
                "images",
                "--push",
                TestCluster.registry() + "/knabla",
                "-q",
                "-o",
                "json"));
        Optional.ofNullable(System.getenv("KNABLA_IMAGE_BASE"))
                .ifPresent(base -> command.addAll(List.of("--base", base)));
        return command;
    }

    private static String replica(String pushed) throws IOException {
        for (JsonNode made : new ObjectMapper().readTree(pushed).path("images")) {
            if (made.path("name").asText().equals("replica")) {
                return made.path("image").asText();
            }
        }
        throw new AssertionError("images named no replica: " + pushed);
    }
}
