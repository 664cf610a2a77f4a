package io.knabla.runtime.modes;

import io.knabla.runtime.engine.CudaDevice;
import io.knabla.runtime.engine.CudaLibraries;
import io.knabla.runtime.engine.Device;
import io.knabla.runtime.engine.DeviceMemoryLimit;
import io.knabla.storage.settings.SettingsReader;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Settings of a replica that was asked to compute on a GPU. */
final class GpuSettings {
    /** {@code cpu}, {@code cuda}, or {@code cuda:1} for the second GPU. */
    static final String DEVICE = "KNABLA_DEVICE";

    /** Largest device memory of a model, in bytes. */
    private static final String MEMORY = "KNABLA_GPU_MEMORY_BYTES";

    /** Shares of the GPU, of whose memory a model has one; a size in bytes comes first. */
    private static final String PARTS = "KNABLA_GPU_PARTS";

    /** Which GPUs a container was given; {@code void} and {@code none}, of NVIDIA's container toolkit, for none. */
    private static final String VISIBLE = "NVIDIA_VISIBLE_DEVICES";

    private static final Pattern CUDA = Pattern.compile("cuda(?::(\\d{1,2}))?");
    private static final Pattern SHARES = Pattern.compile("[2-9]|1[0-6]");
    private static final Pattern BYTES = Pattern.compile("[1-9]\\d{0,17}");

    private GpuSettings() {}

    static Device read(SettingsReader reader) {
        String wanted = reader.text(DEVICE).orElseThrow();
        if (wanted.equals("cpu")) {
            return Device.CPU;
        }
        Matcher cuda = CUDA.matcher(wanted);
        if (!cuda.matches()) {
            reader.reject(DEVICE, wanted, "cpu, cuda, or cuda:1 for the second GPU");
            return Device.CPU;
        }
        reader.text(VISIBLE)
                .filter(GpuSettings::isNone)
                .ifPresent(none -> reader.report(
                        "%s is %s, but %s is %s: this container was given no GPU; ask for one with resources.gpu: 1"
                                .formatted(DEVICE, wanted, VISIBLE, none)));
        int index = cuda.group(1) == null ? 0 : Integer.parseInt(cuda.group(1));
        return new CudaDevice(index, memory(reader), CudaLibraries.of(System.getenv()));
    }

    private static boolean isNone(String visible) {
        return visible.equals("void") || visible.equals("none");
    }

    private static DeviceMemoryLimit memory(SettingsReader reader) {
        String text = reader.text(MEMORY).orElse("");
        if (text.isEmpty()) {
            return share(reader);
        }
        if (!BYTES.matcher(text).matches()) {
            reader.reject(MEMORY, text, "a number of bytes, such as 8589934592");
            return DeviceMemoryLimit.ALL;
        }
        return new DeviceMemoryLimit.Fixed(Long.parseLong(text));
    }

    private static DeviceMemoryLimit share(SettingsReader reader) {
        String text = reader.text(PARTS).orElse("");
        if (text.isEmpty()) {
            return DeviceMemoryLimit.ALL;
        }
        if (!SHARES.matcher(text).matches()) {
            reader.reject(PARTS, text, "the number of shares of the GPU, 2 to 16");
            return DeviceMemoryLimit.ALL;
        }
        return new DeviceMemoryLimit.Share(Integer.parseInt(text));
    }
}
