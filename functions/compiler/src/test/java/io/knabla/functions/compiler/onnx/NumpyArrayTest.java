package io.knabla.functions.compiler.onnx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NumpyArrayTest {
    private static byte[] file(int version, String header, byte... elements) {
        ByteBuffer file = ByteBuffer.allocate(12 + header.length() + elements.length)
                .order(ByteOrder.LITTLE_ENDIAN)
                .put(new byte[] {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y', (byte) version, 0});
        if (version == 1) {
            file.putShort((short) header.length());
        } else {
            file.putInt(header.length());
        }
        file.put(header.getBytes(StandardCharsets.ISO_8859_1)).put(elements);
        return java.util.Arrays.copyOf(file.array(), file.position());
    }

    private static String header(String descr, String order, String shape) {
        return "{'descr': '%s', 'fortran_order': %s, 'shape': (%s), }\n".formatted(descr, order, shape);
    }

    @ParameterizedTest
    @CsvSource({"1, <i2, INT16", "2, <i2, INT16", "1, |u1, UINT8", "3, <f4, FLOAT", "1, =u8, UINT64"})
    void readsEveryVersionOfTheFormat(int version, String descr, ElementType element) {
        NumpyArray array = NumpyArray.read(file(version, header(descr, "False", "1, 2"), (byte) 1, (byte) 2));
        assertThat(array.element()).isEqualTo(element);
        assertThat(array.shape()).containsExactly(1L, 2L);
        assertThat(array.bytes()).containsExactly(1, 2);
        assertThat(array.tensor().getRawData().toByteArray()).containsExactly(1, 2);
    }

    @Test
    void scalarHasNoAxes() {
        assertThat(NumpyArray.read(file(1, header("|b1", "False", ""), (byte) 1))
                        .shape())
                .isEqualTo(List.of());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '/',
            value = {
                ">f4 / False / 1 / holds '>f4'; save",
                "<f4 / True / 1 / in Fortran's order",
                "<U5 / False / 1 / holds '<U5'",
                "<f4 / False / 99999999999999999999 / has a dimension of",
                "<f4 / False / a / not understood"
            })
    void refusesWhatAModelCannotRead(String descr, String order, String shape, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> NumpyArray.read(file(1, header(descr, order, shape))))
                .withMessageContaining(message);
    }

    @Test
    void refusesADamagedFile() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> NumpyArray.read(new byte[20]))
                .withMessage("is no NumPy array");
        byte[] whole = file(1, header("<f4", "False", "1"));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> NumpyArray.read(java.util.Arrays.copyOf(whole, 20)))
                .withMessage("breaks off in its header");
    }
}
