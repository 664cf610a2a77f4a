package io.knabla.runtime.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.knabla.functions.unit.DataType;
import io.knabla.functions.unit.TensorSpec;
import io.knabla.functions.unit.TrainingSpec.Setting;
import io.knabla.runtime.engine.Tensor;
import java.util.List;
import org.junit.jupiter.api.Test;

class InputDefaultsTest {
    private static final InputDefaults SETTINGS =
            new InputDefaults(List.of(new Setting("rate", 0.25), new Setting("decay", -3)), List.of());

    @Test
    void valuesHaveTheInputsTypeAndShape() {
        Tensor rate = SETTINGS.value(new TensorSpec("rate", DataType.FP32, List.of(), List.of()));
        assertThat(rate.shape()).isEmpty();
        assertThat(rate.data().remaining()).isEqualTo(4);
        assertThat(rate.data().getFloat(0)).isEqualTo(0.25f);
        Tensor decay = SETTINGS.value(new TensorSpec("decay", DataType.FP64, List.of(1L), List.of("")));
        assertThat(decay.shape()).containsExactly(1);
        assertThat(decay.data().getDouble(0)).isEqualTo(-3);
        assertThat(decay.data().isDirect()).isTrue();
    }

    @Test
    void otherInputsHaveNoDefault() {
        assertThat(SETTINGS.value(new TensorSpec("x", DataType.FP32, List.of(), List.of())))
                .isNull();
    }

    @Test
    void integersHaveNoDefault() {
        assertThatThrownBy(() -> SETTINGS.value(new TensorSpec("rate", DataType.INT64, List.of(), List.of())))
                .hasMessageContaining("setting 'rate' is INT64");
    }
}
