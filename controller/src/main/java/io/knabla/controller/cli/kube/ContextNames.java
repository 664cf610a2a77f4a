package io.knabla.controller.cli.kube;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * The contexts' names for completion: read without the client's library, whose loading a person who presses tab would
 * feel. What cannot be read has none.
 */
public final class ContextNames {
    private ContextNames() {}

    /**
     * @param files of KUBECONFIG; blank for the usual one
     * @param home the person's
     */
    public static List<String> in(String files, Path home) {
        Stream<String> named = files.isBlank()
                ? Stream.of(home.resolve(Path.of(".kube", "config")).toString())
                : Arrays.stream(files.split(File.pathSeparator));
        return named.flatMap(ContextNames::of).distinct().sorted().toList();
    }

    private static Stream<String> of(String file) {
        JsonNode contexts = read(new File(file)).path("contexts");
        return StreamSupport.stream(contexts.spliterator(), false)
                .map(context -> context.path("name").asText())
                .filter(name -> !name.isBlank());
    }

    private static JsonNode read(File file) {
        try {
            return new YAMLMapper().readTree(file);
        } catch (IOException notOne) {
            return MissingNode.getInstance();
        }
    }
}
