package io.knabla.controller.machine;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.knabla.functions.compiler.analyze.Machine;
import io.knabla.functions.compiler.analyze.Machine.Source;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Measured speed of a host by number of threads, and of its GPU, kept in the file {@code calibration.json}.
 *
 * @param devices at most one
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record MachineProfile(int schema, Host host, List<Measurement> measured, List<GpuProfile> devices) {
    private static final int SCHEMA = 2;
    private static final ObjectMapper JSON = new ObjectMapper();

    public MachineProfile {
        measured = measured == null
                ? List.of()
                : measured.stream().filter(Objects::nonNull).toList();
        devices = devices == null
                ? List.of()
                : devices.stream().filter(Objects::nonNull).toList();
    }

    /** Operations and bytes a second with this number of threads. */
    @JsonIgnoreProperties(ignoreUnknown = true)
    public record Measurement(int threads, double flops, double bytesPerSecond) {
        /** Whether the values are plausible: a damaged file may hold anything. */
        boolean isPossible() {
            return threads > 0 && isPossible(flops) && isPossible(bytesPerSecond);
        }

        private static boolean isPossible(double rate) {
            return rate > 0 && Double.isFinite(rate);
        }

        Machine machine() {
            return new Machine(threads, flops, bytesPerSecond, Source.measured);
        }
    }

    /** Reads the file; empty when it is absent, damaged or of another host. */
    public static MachineProfile read(Path file, Host here) {
        try {
            MachineProfile read = JSON.readValue(Files.readAllBytes(file), MachineProfile.class);
            boolean holds = read != null
                    && read.schema == SCHEMA
                    && read.host != null
                    && read.host.isComplete()
                    && read.host.isLike(here)
                    && read.measured.stream().allMatch(Measurement::isPossible)
                    && read.devices.stream().allMatch(GpuProfile::isPossible);
            return holds ? read : none(here);
        } catch (IOException missingOrDamaged) {
            return none(here);
        }
    }

    private static MachineProfile none(Host here) {
        return new MachineProfile(SCHEMA, here, List.of(), List.of());
    }

    /** The measurement with this number of threads. */
    public Optional<Machine> machine(int threads) {
        return measured.stream()
                .filter(one -> one.threads() == threads)
                .map(Measurement::machine)
                .findFirst();
    }

    public Optional<Machine> fewestThreads() {
        return measured.stream()
                .min(Comparator.comparingInt(Measurement::threads))
                .map(Measurement::machine);
    }

    public MachineProfile with(Measurement one) {
        return new MachineProfile(
                schema,
                host,
                Stream.concat(measured.stream().filter(o -> o.threads() != one.threads()), Stream.of(one))
                        .toList(),
                devices);
    }

    public MachineProfile with(GpuProfile device) {
        return new MachineProfile(schema, host, measured, List.of(device));
    }

    /** The GPU, if it was measured. */
    public Optional<GpuProfile> device() {
        return devices.stream().findFirst();
    }

    /** Replaces the file atomically. */
    public void write(Path file) throws IOException {
        Files.createDirectories(file.getParent());
        Path half = Files.createTempFile(file.getParent(), "calibration", ".tmp");
        try {
            Files.write(half, JSON.writerWithDefaultPrettyPrinter().writeValueAsBytes(this));
            Files.move(half, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(half);
        }
    }
}
