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
 * Reads context names from kubeconfig files for shell completion. It does not load the Kubernetes client library,
 * because that would delay each completion. A file that cannot be read has no names.
 */
public final class ContextNames {
    private ContextNames() {}

    /**
     * @param files value of KUBECONFIG; blank for the default file
     * @param home the user's home folder
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
