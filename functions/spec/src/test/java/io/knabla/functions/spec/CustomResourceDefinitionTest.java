package io.knabla.functions.spec;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Compares the CRD in {@code k8s} with the generated one, or writes it. */
class CustomResourceDefinitionTest {
    private static final Path FILE = Path.of("../../k8s/base/crd/functions.knabla.dev.yaml");

    private static final String COMMAND =
            "mvn -pl functions -am test -Dtest=CustomResourceDefinitionTest -Dsurefire.failIfNoSpecifiedTests=false -Dcrd=write";

    @Test
    void theFileInK8sEqualsTheGeneratedCrd() throws IOException {
        String generated = "# Made from functions/spec; do not edit. To write it again:\n# "
                + COMMAND
                + "\n"
                + CustomResourceDefinition.yaml();
        if ("write".equals(System.getProperty("crd"))) {
            Files.createDirectories(FILE.getParent());
            Files.writeString(FILE, generated);
        }

        assertThat(FILE)
                .as("the CRD differs from the code it is made from; write it with: " + COMMAND)
                .content()
                .isEqualTo(generated);
    }
}
