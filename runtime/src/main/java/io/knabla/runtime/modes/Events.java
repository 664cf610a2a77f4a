package io.knabla.runtime.modes;

import io.knabla.functions.unit.Digest;
import io.knabla.functions.unit.FailureCode;
import io.knabla.functions.unit.usage.ReplicaTotals;
import io.knabla.functions.unit.usage.ReplicaTotalsJson;
import io.knabla.runtime.benchmark.GpuCalibration;
import io.knabla.runtime.benchmark.MachineProfile;
import io.knabla.runtime.check.GradientCheckResult;
import io.knabla.runtime.check.RowsCheckResult;
import io.knabla.runtime.engine.CudaLibraries.Missing;
import io.knabla.runtime.engine.Xid;
import io.knabla.runtime.protocol.JsonWriter;
import io.knabla.runtime.ranges.OutputRange;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** Writes the replica's events for its launcher: one JSON object a line on standard output. */
public final class Events {
    private static final FileOutputStream OUT = new FileOutputStream(FileDescriptor.out);

    /** No formatter: loading its classes would delay every start. */
    private static final String[] TENTHS = {".0", ".1", ".2", ".3", ".4", ".5", ".6", ".7", ".8", ".9"};

    private Events() {}

    public static void listening(int port) {
        write(new JsonWriter(64)
                .raw("{\"event\":\"listening\",\"port\":")
                .number(port)
                .raw("}\n"));
    }

    /**
     * Reports the durations of the start phases.
     *
     * @param boot in milliseconds
     * @param fetch in nanoseconds
     * @param load in nanoseconds
     * @param device in nanoseconds; empty on the CPU
     */
    public static void ready(long boot, long fetch, long load, OptionalLong device) {
        var event = new JsonWriter(128)
                .raw("{\"event\":\"ready\",\"phases\":{\"boot\":")
                .number(boot);
        millis(event.raw(",\"fetch\":"), fetch);
        millis(event.raw(",\"load\":"), load);
        if (device.isPresent()) {
            millis(event.raw(",\"device\":"), device.getAsLong());
        }
        write(event.raw("}}\n"));
    }

    private static void millis(JsonWriter event, long nanos) {
        event.number(nanos / 1_000_000).raw(TENTHS[(int) (nanos / 100_000 % 10)]);
    }

    /** Reports that this member of the pool can be assigned a unit. */
    static void pooled() {
        write(new JsonWriter(32).raw("{\"event\":\"pooled\"}\n"));
    }

    static void usage(ReplicaTotals totals) {
        write(new JsonWriter(256)
                .raw("{\"event\":\"usage\",")
                .raw(ReplicaTotalsJson.fields(totals))
                .raw("}\n"));
    }

    static void utilization(int percent) {
        write(new JsonWriter(64)
                .raw("{\"event\":\"utilization\",\"percent\":")
                .number(percent)
                .raw("}\n"));
    }

    /** @param gpu index among the GPUs that this process sees */
    static void xid(int gpu, Xid xid) {
        write(new JsonWriter(256)
                .raw("{\"event\":\"gpu-xid\",\"gpu\":")
                .number(gpu)
                .raw(",\"xid\":")
                .number(xid.number())
                .raw(",\"kind\":\"" + xid.kind().name() + "\",\"meaning\":")
                .text(xid.meaning())
                .raw("}\n"));
    }

    /**
     * @param warning null for none
     * @param gradients empty for units without gradients
     * @param rows empty without batching
     */
    static void checked(
            long load,
            long run,
            String warning,
            Optional<GradientCheckResult> gradients,
            Optional<RowsCheckResult> rows) {
        var event = new JsonWriter(128)
                .raw("{\"event\":\"checked\",\"loadMillis\":")
                .number(load)
                .raw(",\"runMillis\":")
                .number(run);
        if (warning != null) {
            event.raw(",\"warning\":").text(warning);
        }
        gradients.ifPresent(verdict -> gradients(event.raw(",\"gradientCheck\":{"), verdict));
        rows.ifPresent(found -> event.raw(",\"rows\":{\"finding\":")
                .text(found.finding().name())
                .raw(",\"reason\":")
                .text(found.reason())
                .raw("}"));
        write(event.raw("}\n"));
    }

    private static void gradients(JsonWriter event, GradientCheckResult verdict) {
        switch (verdict) {
            case GradientCheckResult.Agrees(var error, var kinks, var directions, var limit) ->
                event.raw("\"gradientError\":" + error)
                        .raw(",\"limit\":" + limit)
                        .raw(",\"directions\":")
                        .number(directions)
                        .raw(",\"kinks\":")
                        .number(kinks)
                        .raw("}");
            case GradientCheckResult.NotTried(var why) ->
                event.raw("\"notTried\":").text(why).raw("}");
            case GradientCheckResult.Differs differs -> throw new IllegalArgumentException(differs.sentence());
        }
    }

    static void optimized(Digest unit) {
        write(new JsonWriter(128)
                .raw("{\"event\":\"optimized\",\"unit\":")
                .text(unit.value())
                .raw("}\n"));
    }

    static void ranges(Map<String, OutputRange> ranges) {
        var event = new JsonWriter(4096).raw("{\"event\":\"ranges\",\"ranges\":{");
        String separator = "";
        for (var range : ranges.entrySet()) {
            event.raw(separator)
                    .text(range.getKey())
                    .raw(":[" + range.getValue().low() + "," + range.getValue().high() + "]");
            separator = ",";
        }
        write(event.raw("}}\n"));
    }

    static void calibrated(MachineProfile measured) {
        write(new JsonWriter(128)
                .raw("{\"event\":\"calibrated\",\"threads\":")
                .number(measured.threads())
                .raw(",\"flops\":" + measured.flops())
                .raw(",\"bytesPerSecond\":" + measured.bytesPerSecond() + "}\n"));
    }

    static void calibrated(GpuCalibration measured) {
        var event = new JsonWriter(512)
                .raw("{\"event\":\"calibrated\",\"device\":")
                .text(measured.device())
                .raw(",\"rates\":{");
        String separator = "";
        for (var rate : measured.rates().entrySet()) {
            event.raw(separator).text(rate.getKey().name()).raw(":" + rate.getValue());
            separator = ",";
        }
        event.raw("},\"failures\":{");
        separator = "";
        for (var failure : measured.failures().entrySet()) {
            event.raw(separator).text(failure.getKey().name()).raw(":").text(failure.getValue());
            separator = ",";
        }
        write(event.raw("}}\n"));
    }

    /**
     * @param home where the libraries are looked for first
     * @param trouble what is wrong with the device, where all libraries are there
     */
    static void gpu(Path home, List<Missing> missing, Optional<String> trouble) {
        var event = new JsonWriter(512)
                .raw("{\"event\":\"gpu\",\"home\":")
                .text(home.toString())
                .raw(",\"missing\":[");
        String separator = "";
        for (Missing one : missing) {
            event.raw(separator + "{\"library\":")
                    .text(one.library().file())
                    .raw(",\"required\":" + one.library().isRequired() + ",\"found\":")
                    .text(one.sentence())
                    .raw(",\"fix\":")
                    .text(one.command())
                    .raw("}");
            separator = ",";
        }
        event.raw("]");
        trouble.ifPresent(what -> event.raw(",\"trouble\":").text(what));
        write(event.raw("}\n"));
    }

    static void failed(Throwable failed, FailureCode code) {
        failure("failed", failed.getMessage(), code);
    }

    public static void refused(String error) {
        failure("refused", error, FailureCode.MODEL_REFUSED);
    }

    /**
     * Reports a store failure: the unit could not be read, or the optimised unit not be written. Says nothing about the
     * unit.
     */
    public static void unavailable(RuntimeException failed) {
        failure("unavailable", failed.getMessage(), FailureCode.of(failed));
    }

    private static void failure(String event, String error, FailureCode code) {
        String text = error == null ? "no reason was given" : error;
        write(new JsonWriter(256)
                .raw("{\"event\":\"" + event + "\",\"error\":")
                .text(text)
                .raw(",\"code\":\"" + code.name() + "\"}\n"));
    }

    private static void write(JsonWriter line) {
        try {
            OUT.write(line.bytes(), 0, line.size());
        } catch (IOException nobodyListens) {
            // The launcher has exited; the end of standard input ends this process.
        }
    }
}
