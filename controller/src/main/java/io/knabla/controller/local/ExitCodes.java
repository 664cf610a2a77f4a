package io.knabla.controller.local;

import io.knabla.controller.platform.GpuLossReason;

/** Explains a process's exit code to people. */
final class ExitCodes {
    private ExitCodes() {}

    static String explain(int code) {
        return "exit code " + code + meaning(code);
    }

    private static String meaning(int code) {
        return switch (code) {
            case 0 -> " (ended by itself)";
            case 1 -> " (the JVM could not start or an error was not caught; see its log)";
            case 3 -> " (it could not load its unit; see its log)";
            case GpuLossReason.EXIT_CODE -> " (it lost its GPU; another process can use it again)";
            case 130, 143 -> " (told to stop)";
            case 134 -> " (the engine crashed the process: aborted)";
            case 135 -> " (the engine crashed the process: bus error, as when a mapped file was cut short)";
            case 136 -> " (the engine crashed the process: arithmetic fault)";
            case 137 -> " (killed: by hand, or by the system because memory ran out)";
            case 139 -> " (the engine crashed the process: segmentation fault)";
            default -> code > 128 ? " (killed by signal " + (code - 128) + ")" : "";
        };
    }
}
