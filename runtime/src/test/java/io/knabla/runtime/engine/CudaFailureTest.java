package io.knabla.runtime.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.runtime.engine.CudaFailure.Kind;
import io.knabla.runtime.engine.EngineException.Code;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages as ONNX Runtime 1.29 and its CUDA provider wrote them. */
class CudaFailureTest {
    private static final long MIB = 1L << 20;

    private static CudaFailure parsed(String message) {
        return CudaFailure.parse(message).orElseThrow();
    }

    private static String cuda(int number, String text) {
        return "Error code - ORT_FAIL - message: CUDA failure %d: %s ; GPU=0 ; hostname=h ; file=/x/gpu_data_transfer.cc ; line=91 ; expr=cudaMemcpyAsync(a, b);"
                .formatted(number, text);
    }

    @Test
    void nothingElseIsAFailureOfTheGpu() {
        assertThat(CudaFailure.parse(null)).isEmpty();
        assertThat(
                        CudaFailure.parse(
                                "Non-zero status code returned while running Gather node. Name:'g' Status Message: indices element out of data bounds, idx=9 must be within the inclusive range [-4,3]"))
                .isEmpty();
        assertThat(CudaFailure.parse("Failed to load model: No such file")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"libcublasLt.so.13, LIBRARY_MISSING", "libcuda.so.1, DRIVER_MISSING"})
    void missingLibrary(String library, Kind kind) {
        CudaFailure failure = parsed(
                "x.cc:1988 Get() [ONNXRuntimeError] : 1 : FAIL : Failed to load library /a/libonnxruntime_providers_cuda.so with error: "
                        + library + ": cannot open shared object file: No such file or directory");

        assertThat(failure.kind()).isEqualTo(kind);
        assertThat(failure.detail()).isEqualTo(library);
        assertThat(failure.kind().whenLoading()).isEqualTo(Code.UNLOADABLE);
    }

    @ParameterizedTest
    @CsvSource({
        "35, DRIVER_TOO_OLD, UNLOADABLE",
        "100, NO_DEVICE, UNLOADABLE",
        "209, NO_CODE_FOR_DEVICE, UNLOADABLE",
        "700, LOST, DEVICE_LOST",
        "719, LOST, DEVICE_LOST",
        "999, LOST, DEVICE_LOST",
        "1, OTHER, FAILED",
        "701, OTHER, FAILED",
    })
    void numbersOfCuda(int number, Kind kind, Code whenRunning) {
        CudaFailure failure = parsed(cuda(number, "some text"));

        assertThat(failure.kind()).isEqualTo(kind);
        assertThat(failure.cuda()).isEqualTo(number);
        assertThat(failure.detail()).isEqualTo("some text");
        assertThat(failure.kind().whenRunning()).isEqualTo(whenRunning);
    }

    @Test
    void deviceReset() {
        CudaFailure failure = parsed("Error code - ORT_DEVICE_RESET - message: the device was removed");

        assertThat(failure.kind()).isEqualTo(Kind.LOST);
        assertThat(failure.sentence(OptionalLong.empty()))
                .isEqualTo(
                        "the GPU was lost: it was reset; this replica ends and another one takes its place, so call again");
    }

    /** Held already, and asked for now: what the model needs at least. */
    @Test
    void limitNamesNumberNeeded() {
        CudaFailure failure = parsed(
                "bfc_arena.cc:359 AllocateRawInternal Available memory of %d is smaller than requested bytes of %d"
                        .formatted(100 * MIB, 512 * MIB));

        assertThat(failure.kind()).isEqualTo(Kind.OVER_LIMIT);
        assertThat(failure.sentence(OptionalLong.of(300 * MIB)))
                .startsWith("this needs at least 712 MiB of device memory, and the model may have 300 MiB");
        assertThat(failure.sentence(OptionalLong.empty())).startsWith("this needs at least 512 MiB");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Failed to allocate memory for requested buffer of size 1048577",
                "CUDA failure 2: out of memory ; GPU=0 ; hostname=h"
            })
    void fullDevice(String message) {
        CudaFailure failure = parsed(message);

        assertThat(failure.kind()).isEqualTo(Kind.DEVICE_FULL);
        assertThat(failure.kind().whenRunning()).isEqualTo(Code.OUT_OF_DEVICE_MEMORY);
        assertThat(failure.sentence(OptionalLong.empty())).startsWith("the GPU's memory is full");
    }

    @Test
    void sizeThatIsNoSize() {
        String message = "Failed to allocate memory for requested buffer of size 13703275836778088704";

        assertThat(parsed(message).kind()).isEqualTo(Kind.DEVICE_FULL);
    }

    @Test
    void cudnn() {
        CudaFailure failure = parsed(
                "Error code - ORT_NOT_IMPLEMENTED - message: Non-zero status code returned while running Conv node. Name:'/c' Status Message: h.h:272 RequireCudnnHandle(cudnnHandle_t) [ONNXRuntimeError] : 9 : NOT_IMPLEMENTED : cuDNN is unavailable or disabled for CUDA Execution Provider: dlopen failed for libcudnn.so");

        assertThat(failure.kind()).isEqualTo(Kind.CUDNN_MISSING);
        assertThat(failure.sentence(OptionalLong.empty())).startsWith("at its operator Conv: cuDNN 9 is needed");
    }

    @Test
    void fallbackForbidden() {
        CudaFailure failure = parsed(
                "This session contains graph nodes that are assigned to the default CPU EP, but fallback to CPU EP has been explicitly disabled by the user.");

        assertThat(failure.kind()).isEqualTo(Kind.NOT_ON_DEVICE);
    }

    /** Each is what a person reads. */
    @ParameterizedTest
    @CsvSource({
        "LIBRARY_MISSING",
        "DRIVER_MISSING",
        "DRIVER_TOO_OLD",
        "NO_DEVICE",
        "NO_CODE_FOR_DEVICE",
        "NOT_ON_DEVICE",
        "OTHER"
    })
    void everyKindHasSentence(Kind kind) {
        assertThat(new CudaFailure(kind, "detail", 1, 0, 0).sentence(OptionalLong.empty()))
                .hasSizeGreaterThan(20)
                .doesNotContain("null", "%");
    }
}
