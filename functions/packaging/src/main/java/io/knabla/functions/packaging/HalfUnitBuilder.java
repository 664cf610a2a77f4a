package io.knabla.functions.packaging;

import ai.onnx.proto.OnnxMl.ModelProto;
import io.knabla.functions.Fault;
import io.knabla.functions.compiler.interpreter.NdArray;
import io.knabla.functions.compiler.ir.Dag;
import io.knabla.functions.compiler.ir.Exporter;
import io.knabla.functions.compiler.onnx.Model;
import io.knabla.functions.compiler.optimize.quantize.HalfError;
import io.knabla.functions.compiler.optimize.quantize.HalfPass;
import io.knabla.functions.packaging.ModelCheck.Checked;
import io.knabla.functions.packaging.ModelQuantizer.Imported;
import io.knabla.functions.packaging.UnitParts.Prepared;
import io.knabla.functions.unit.Digest;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Turns an inference model to half precision, measures the error on sample requests and prepares the unit. */
final class HalfUnitBuilder {
    private static final String PATH = "spec.quantize";

    /** Work that this process interprets at most: about a minute. */
    private static final long MOST_FLOPS = 2_000_000_000L;

    private final Checked.Good source;
    private final FaultCollector faults = new FaultCollector();

    /** Which of the sample requests were measured; empty if all were. */
    private String extent = "";

    private HalfUnitBuilder(Checked.Good source) {
        this.source = source;
    }

    /** @param samples file of requests */
    static Prepared build(Checked.Good source, Optional<Path> samples, Digest model) throws IOException {
        return switch (ModelQuantizer.imported(source)) {
            case Imported.Refused(var faults) -> new Prepared.Refused(faults);
            case Imported.Ready(var dag) -> {
                try {
                    yield new HalfUnitBuilder(source).build(dag, samples, model);
                } catch (IllegalArgumentException unfit) {
                    yield new Prepared.Refused(List.of(new Fault(PATH, unfit.getMessage())));
                }
            }
        };
    }

    private Prepared build(Dag dag, Optional<Path> samples, Digest model) throws IOException {
        HalfPass.Result half = HalfPass.of(dag);
        if (half.half() == 0) {
            faults.add(PATH, "no operation of this model can run in half precision; write type: None");
            return new Prepared.Refused(faults.toList());
        }
        HalfError error = error(dag, half.dag(), samples);
        if (error instanceof HalfError.NotFinite(var output, var sample)) {
            faults.add(
                    PATH,
                    "in half precision, output '%s' of sample request %d is no finite number, as it is in float32; write type: None, or scale the model's numbers below 65504",
                    output,
                    sample);
        }
        return faults.isEmpty()
                ? checked(half, told(half, error) + extent, model)
                : new Prepared.Refused(faults.toList());
    }

    private HalfError error(Dag full, Dag half, Optional<Path> samples) throws IOException {
        if (samples.isEmpty()) {
            return new HalfError.Unmeasured(
                    "there are no sample requests; name a file of some under spec.quantize.calibration");
        }
        List<Map<String, NdArray>> requests =
                SampleRequests.read(full, source.signature().inputs(), samples.get(), faults);
        long affordable = MOST_FLOPS / Math.max(1, source.analysis().flops());
        if (!faults.isEmpty() || affordable == 0) {
            return new HalfError.Unmeasured(
                    "a call takes %,d operations, and packaging interprets at most %,d; compare answers with those of type: None"
                            .formatted(source.analysis().flops(), MOST_FLOPS));
        }
        int measured = (int) Math.min(requests.size(), affordable);
        if (measured < requests.size()) {
            extent = "; measured on the first %d of %d sample requests, as more would take too long"
                    .formatted(measured, requests.size());
        }
        return HalfError.of(full, half, requests.subList(0, measured));
    }

    private Prepared checked(HalfPass.Result half, String told, Digest model) {
        ModelProto written = Provenance.ofHalf(model).addTo(Exporter.write(half.dag()), "main");
        return switch (ModelCheck.check(Model.of(written), ModelFiles.NONE)) {
            case Checked.Bad(var found) -> new Prepared.Refused(found);
            case Checked.Good good -> {
                List<String> warnings = new ArrayList<>(good.warnings());
                warnings.add(told);
                yield new Prepared.Ready(UnitParts.plain(new Checked.Good(
                        good.split(),
                        good.signature(),
                        good.classes(),
                        good.defaults(),
                        good.analysis(),
                        List.copyOf(warnings))));
            }
        };
    }

    private static String told(HalfPass.Result half, HalfError error) {
        return "half precision: %d operations, %d stay float32, %d elements of constants were moved into the range of half floats; %s"
                .formatted(half.half(), half.kept(), half.clamped(), told(error));
    }

    private static String told(HalfError error) {
        return switch (error) {
            case HalfError.Measured(var largest, var relative, var output, var sample) ->
                "the largest error of an element is %.2g, that of an output %.2g of its norm ('%s' of sample request %d)"
                        .formatted(largest, relative, output, sample);
            case HalfError.NotFinite(var output, var sample) ->
                "output '%s' of sample request %d is not finite".formatted(output, sample);
            case HalfError.Unmeasured(var why) -> "the error was not measured: " + why;
        };
    }
}
