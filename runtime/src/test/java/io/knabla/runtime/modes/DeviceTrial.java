package io.knabla.runtime.modes;

import io.knabla.functions.unit.GraphManifest;
import io.knabla.runtime.check.TrialInputs;
import io.knabla.runtime.engine.EngineException;
import io.knabla.runtime.engine.Tensor;
import io.knabla.runtime.inference.EngineModel;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * A process that does with the engine what its standard input says, one word a line, and answers each with a line:
 * {@code load} opens the unit of its environment, {@code run ROWS} runs it, {@code crowd} runs it 200 times in 16
 * threads, {@code idle} does what an idle replica does, {@code close} closes it, and {@code cpu} opens and runs it on
 * the CPU.
 */
public final class DeviceTrial {
    private DeviceTrial() {}

    private static EngineModel model;

    public static void main(String[] arguments) throws Exception {
        var commands = new BufferedReader(new InputStreamReader(System.in));
        for (String line = commands.readLine(); line != null; line = commands.readLine()) {
            System.out.println(answer(line).replace('\n', ' '));
        }
        // Libraries of CUDA need not end well after a failure.
        Runtime.getRuntime().halt(0);
    }

    private static String answer(String line) throws InterruptedException {
        try {
            return switch (line) {
                case "load" -> {
                    model = load(System.getenv());
                    yield "loaded";
                }
                case "crowd" -> crowd();
                case "idle" -> {
                    GpuWatch.giveBack(model);
                    yield "gave back";
                }
                case "close" -> {
                    model.close();
                    yield "closed";
                }
                case "cpu" -> run(load(onCpu()), 1);
                default -> run(model, Integer.parseInt(line.substring("run ".length())));
            };
        } catch (EngineException failed) {
            return failed.code() + " " + failed.getMessage() + "|" + failed.getCause();
        }
    }

    private static String crowd() throws InterruptedException {
        try (var threads = Executors.newFixedThreadPool(16)) {
            List<Callable<String>> runs = Collections.nCopies(200, () -> run(model, 1));
            return "crowd "
                    + threads.invokeAll(runs).stream()
                            .map(Future::resultNow)
                            .distinct()
                            .toList();
        }
    }

    private static Map<String, String> onCpu() {
        Map<String, String> environment = new HashMap<>(System.getenv());
        environment.remove("KNABLA_DEVICE");
        return environment;
    }

    private static EngineModel load(Map<String, String> environment) {
        return LoadedUnit.load(Settings.parse(environment)).graphs();
    }

    private static String run(EngineModel on, long rows) {
        GraphManifest manifest = on.manifest();
        boolean[] wanted = new boolean[manifest.outputs().size()];
        Arrays.fill(wanted, true);
        return on.engine()
                .run(
                        Optional.empty(),
                        TrialInputs.zeroRows(manifest.inputs(), rows),
                        wanted,
                        System.nanoTime(),
                        answer -> "ran " + bytes(answer.outputs()));
    }

    private static long bytes(List<Tensor> outputs) {
        return outputs.stream().mapToLong(output -> output.data().remaining()).sum();
    }
}
