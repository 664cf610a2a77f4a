package io.knabla.runtime.engine;

/**
 * Xid error of a GPU: what NVIDIA's driver numbers and reports.
 *
 * @param meaning for people, after NVIDIA's catalogue of Xid errors
 */
public record Xid(int number, Kind kind, String meaning) {
    /** What an error ends. */
    public enum Kind {
        /** The process that computed; another one can compute on the same GPU. */
        Application,
        /** The GPU: nothing should be started on it. */
        Device,
        /** Not known to end either. */
        Other
    }

    public static Xid of(int number) {
        return switch (number) {
            case 13 -> new Xid(number, Kind.Application, "a kernel failed with an exception");
            case 31 -> new Xid(number, Kind.Application, "a kernel used memory that is not its own");
            case 43 -> new Xid(number, Kind.Application, "a kernel failed, and the driver stopped it");
            case 45 -> new Xid(number, Kind.Application, "the driver cleaned up after an error before this one");
            case 48 -> new Xid(number, Kind.Device, "the GPU's memory has an error that cannot be corrected");
            case 79 -> new Xid(number, Kind.Device, "the GPU has fallen off the bus");
            case 94 ->
                new Xid(
                        number,
                        Kind.Application,
                        "an error of the GPU's memory that cannot be corrected met one process only");
            case 95 ->
                new Xid(
                        number,
                        Kind.Device,
                        "an error of the GPU's memory that cannot be corrected met other processes too");
            default -> new Xid(number, Kind.Other, "NVIDIA's catalogue of Xid errors explains it");
        };
    }
}
