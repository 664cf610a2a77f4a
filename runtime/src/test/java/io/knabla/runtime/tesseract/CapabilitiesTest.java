package io.knabla.runtime.tesseract;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.functions.unit.Blob;
import io.knabla.functions.unit.DataType;
import io.knabla.functions.unit.EntryPoint;
import io.knabla.functions.unit.Sha256;
import io.knabla.functions.unit.TensorSpec;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Tests which tensors are differentiable if the entries support different ones. */
class CapabilitiesTest {
    private static final Optional<EntryPoint> VJP =
            entry("vjp", specs("x", "z", "ct:y", "ct:s"), specs("x_grad", "z_grad"));
    private static final Optional<EntryPoint> JVP = entry("jvp", specs("x", "z", "tan:x"), specs("jvp:y"));

    private static List<TensorSpec> specs(String... names) {
        return Arrays.stream(names)
                .map(name -> new TensorSpec(name, DataType.FP32, List.of(), List.of()))
                .toList();
    }

    private static Optional<EntryPoint> entry(String name, List<TensorSpec> inputs, List<TensorSpec> outputs) {
        var blob = new Blob(Sha256.of(new byte[0]), 0);
        return Optional.of(new EntryPoint(name, blob, inputs, outputs));
    }

    private static Capabilities offer(Optional<EntryPoint> vjp, Optional<EntryPoint> jvp) {
        return new Capabilities(
                specs("x", "z"), specs("y", "s"), Optional.empty(), vjp, jvp, Optional.empty(), Optional.empty());
    }

    @Test
    void tensorsInAllEntriesAreDifferentiable() {
        Capabilities both = offer(VJP, JVP);
        assertThat(both.differentiableInputs()).isEqualTo(specs("x"));
        assertThat(both.differentiableOutputs()).isEqualTo(specs("y"));
    }

    @Test
    void singleEntryDecides() {
        Capabilities back = offer(VJP, Optional.empty());
        assertThat(back.differentiableInputs()).isEqualTo(specs("x", "z"));
        assertThat(back.differentiableOutputs()).isEqualTo(specs("y", "s"));
        Capabilities forth = offer(Optional.empty(), JVP);
        assertThat(forth.differentiableInputs()).isEqualTo(specs("x"));
        assertThat(forth.differentiableOutputs()).isEqualTo(specs("y"));
    }

    @Test
    void nothingIsDifferentiableWithoutEntries() {
        Capabilities plain = offer(Optional.empty(), Optional.empty());
        assertThat(plain.differentiableInputs()).isEmpty();
        assertThat(plain.differentiableOutputs()).isEmpty();
    }
}
