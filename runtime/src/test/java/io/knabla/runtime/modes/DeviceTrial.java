package io.knabla.runtime.modes;

import io.knabla.functions.unit.GraphManifest;
import io.knabla.runtime.check.TrialInputs;
import io.knabla.runtime.engine.EngineException;
import io.knabla.runtime.engine.Tensor;
import io.knabla.runtime.inference.EngineModel;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * A process that does with the engine what its standard input says, one word a line, and answers each with a line:
 * {@code load} opens the unit of its environment, {@code run ROWS} runs it, and {@code cpu} opens and runs it on the
 * CPU.
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

    private static String answer(String line) {
        try {
            return switch (line) {
                case "load" -> {
                    model = load(System.getenv());
                    yield "loaded";
                }
                case "cpu" -> run(load(onCpu()), 1);
                default -> run(model, Integer.parseInt(line.substring("run ".length())));
            };
        } catch (EngineException failed) {
            return failed.code() + " " + failed.getMessage() + "|" + failed.getCause();
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

    private static long bytes(java.util.List<Tensor> outputs) {
        return outputs.stream().mapToLong(output -> output.data().remaining()).sum();
    }
}
