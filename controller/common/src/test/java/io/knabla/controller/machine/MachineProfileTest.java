package io.knabla.controller.machine;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.machine.MachineProfile.Measurement;
import io.knabla.functions.compiler.analyze.Machine;
import io.knabla.functions.compiler.analyze.Machine.Source;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MachineProfileTest {
    private static final Host HOST = new Host("a processor", 4, "25", "engine.so 7");

    @TempDir
    Path folder;

    private Path file;

    @BeforeEach
    void write() throws IOException {
        file = folder.resolve("home/calibration.json");
        MachineProfile.read(file, HOST)
                .with(new Measurement(2, 1, 1))
                .with(new Measurement(1, 3e11, 2e10))
                .with(new Measurement(2, 5e11, 2e10))
                .write(file);
    }

    @Test
    void readsBackMeasurements() {
        MachineProfile read = MachineProfile.read(file, HOST);

        assertThat(read.machine(2)).hasValue(new Machine(2, 5e11, 2e10, Source.measured));
        assertThat(read.machine(3)).isEmpty();
        assertThat(read.fewestThreads()).hasValue(new Machine(1, 3e11, 2e10, Source.measured));
        assertThat(file.getParent()).isDirectoryNotContaining("glob:**.tmp");
    }

    @Test
    void ignoresMeasurementsOfAnotherHost() {
        for (Host other : new Host[] {
            new Host("another", 4, "25", "engine.so 7"),
            new Host("a processor", 2, "25", "engine.so 7"),
            new Host("a processor", 4, "26", "engine.so 7"),
            new Host("a processor", 4, "25", "engine.so 8"),
            new Host("a processor", 4, "25", "engine.so 7", "driver 580: NVIDIA L4")
        }) {
            assertThat(MachineProfile.read(file, other).measured())
                    .as("%s", other)
                    .isEmpty();
        }
        assertThat(MachineProfile.read(file, new Host("a processor", 4, "25", ""))
                        .measured())
                .hasSize(2);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "null",
                "[]",
                "{",
                "{\"schema\": 1}",
                "{\"schema\": 1, \"host\": {}, \"measured\": []}",
                "{\"schema\": 9, \"host\": HOST, \"measured\": [{\"threads\": 1, \"flops\": 1, \"bytesPerSecond\": 1}]}",
                "{\"schema\": 2, \"host\": HOST, \"measured\": [{\"threads\": 1, \"flops\": 0, \"bytesPerSecond\": 1}]}",
                "{\"schema\": 2, \"host\": HOST, \"measured\": [{\"threads\": 1, \"flops\": \"x\", \"bytesPerSecond\": 1}]}",
                "{\"schema\": 2, \"host\": HOST, \"measured\": [null]}",
                "{\"schema\": 2, \"host\": HOST, \"devices\": [{\"name\": \"a\", \"rates\": {\"half\": 0}}]}"
            })
    void treatsADamagedFileAsAbsent(String text) throws IOException {
        String host =
                "{\"processor\": \"a processor\", \"cores\": 4, \"java\": \"25\", \"engine\": \"engine.so 7\", \"gpus\": \"\"}";
        Files.writeString(file, text.replace("HOST", host));

        assertThat(MachineProfile.read(file, HOST).measured()).isEmpty();
        assertThat(MachineProfile.read(file, HOST).device()).isEmpty();
        assertThat(MachineProfile.read(file, HOST).host()).isEqualTo(HOST);
    }

    @Test
    void identifiesThisHost() throws IOException {
        Files.createDirectories(folder.resolve("native"));
        Files.writeString(folder.resolve("native/engine.so"), "1234567");

        Host here = Host.here(Optional.of(folder));

        assertThat(here.engine()).isEqualTo("engine.so 7");
        assertThat(here.processor()).isNotBlank();
        assertThat(here.isLike(Host.here(Optional.empty()))).isTrue();
    }
}
