package io.knabla.functions.spec;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Compares the generated variables of {@code terraform/modules/function} with the file, or writes it. */
class FunctionModuleTest {
    static final Path FILE = Path.of("../../terraform/modules/function/spec.tf");

    private static final String COMMAND =
            "mvn -pl functions/spec -am test -Dtest=FunctionModuleTest -Dsurefire.failIfNoSpecifiedTests=false -Dterraform=write";

    @Test
    void theVariablesEqualTheGeneratedOnes() throws IOException {
        String generated = "# Made from functions/spec; do not edit. To write it again:\n# " + COMMAND + "\n\n"
                + FunctionModule.hcl();
        if ("write".equals(System.getProperty("terraform"))) {
            Files.createDirectories(FILE.getParent());
            Files.writeString(FILE, generated);
        }

        assertThat(FILE)
                .as("the variables differ from the schema they are made from; write them with: " + COMMAND)
                .content()
                .isEqualTo(generated);
    }
}
