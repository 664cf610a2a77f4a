package io.knabla.controller.cost.ledger.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.security.CodeSource;
import java.security.ProtectionDomain;
import java.security.cert.Certificate;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SqlCommandTest {
    private static final SqlLimits LIMITS = new SqlLimits(256, 20, 1000, 1 << 20);

    /** Defines types with the code source that an AOT cache gives them: where their jar was when it was trained. */
    private static final class TrainedElsewhere extends ClassLoader {
        private Class<?> define(Class<?> type) throws IOException {
            byte[] code;
            try (var in = type.getResourceAsStream(type.getSimpleName() + ".class")) {
                code = in.readAllBytes();
            }
            CodeSource source =
                    new CodeSource(URI.create("file:/gone/built.jar").toURL(), (Certificate[]) null);
            return defineClass(type.getName(), code, 0, code.length, new ProtectionDomain(source, null));
        }
    }

    @Test
    void aTypeOfAnAotCacheIsInTheJarOfThisProcess() throws IOException {
        assertThat(Path.of(SqlCommand.place(new TrainedElsewhere().define(SqlLimits.class))))
                .isEqualTo(Path.of(SqlCommand.place(SqlLimits.class)))
                .exists();
    }

    @Test
    void aProcessThatLacksATypeFailsAndSaysWhich(@TempDir Path folder) throws Exception {
        List<String> line = new ArrayList<>(SqlCommand.line(folder, LIMITS));
        line.set(line.indexOf("-cp") + 1, SqlCommand.place(SqlProgram.class));
        Process process = new ProcessBuilder(line).redirectErrorStream(true).start();
        assertThat(process.inputReader().readAllAsString()).contains("NoClassDefFoundError");
        assertThat(process.waitFor()).isEqualTo(1);
    }
}
