package io.knabla.functions.decoder.config;

/**
 * Rotary position embedding: queries and keys are rotated by angles that grow with the position, one frequency for each
 * pair of elements of a head. <a href="https://arxiv.org/abs/2104.09864">RoFormer</a>.
 *
 * @param theta base of the frequencies {@code theta^(-2i/headWidth)}
 */
public record Rope(double theta, Scaling scaling) {

    /** How frequencies are changed for contexts that are longer than those of the training. */
    public sealed interface Scaling {}

    /** Frequencies as they are. */
    public record None() implements Scaling {}

    /** All frequencies divided by {@code factor}. */
    public record Linear(double factor) implements Scaling {}

    /**
     * Llama 3: low frequencies are divided by {@code factor}, high ones stay, those between are interpolated.
     *
     * @param lowFrequencyFactor wavelengths above {@code originalContext / lowFrequencyFactor} are low frequencies
     * @param highFrequencyFactor wavelengths below {@code originalContext / highFrequencyFactor} are high frequencies
     */
    public record Llama3(double factor, double lowFrequencyFactor, double highFrequencyFactor, double originalContext)
            implements Scaling {}

    /**
     * <a href="https://arxiv.org/abs/2309.00071">YaRN</a>: a ramp over the dimensions between divided and unchanged
     * frequencies, and a factor of the rotated values.
     *
     * @param betaFast rotations within the original context above which a frequency stays
     * @param betaSlow rotations below which it is divided
     * @param attentionFactor of cosines and sines
     */
    public record Yarn(
            double factor,
            double betaFast,
            double betaSlow,
            double originalContext,
            double attentionFactor,
            boolean truncate)
            implements Scaling {}

    /**
     * Frequencies of a head.
     *
     * @param headWidth elements of a head; even
     * @return headWidth / 2 angles for each step of the position
     */
    public double[] frequencies(int headWidth) {
        double[] plain = new double[headWidth / 2];
        for (int i = 0; i < plain.length; i++) {
            plain[i] = Math.pow(theta, -2.0 * i / headWidth);
        }
        return switch (scaling) {
            case None _ -> plain;
            case Linear linear -> divided(plain, linear.factor());
            case Llama3 llama -> llama3(plain, llama);
            case Yarn yarn -> yarn(plain, yarn, headWidth);
        };
    }

    /** Factor of all cosines and sines. */
    public double amplitude() {
        return switch (scaling) {
            case None _, Linear _, Llama3 _ -> 1;
            case Yarn yarn -> yarn.attentionFactor();
        };
    }

    private static double[] divided(double[] plain, double factor) {
        double[] scaled = plain.clone();
        for (int i = 0; i < scaled.length; i++) {
            scaled[i] /= factor;
        }
        return scaled;
    }

    private static double[] llama3(double[] plain, Llama3 llama) {
        double[] scaled = plain.clone();
        for (int i = 0; i < scaled.length; i++) {
            double wavelength = 2 * Math.PI / plain[i];
            double smooth = (llama.originalContext() / wavelength - llama.lowFrequencyFactor())
                    / (llama.highFrequencyFactor() - llama.lowFrequencyFactor());
            scaled[i] = mixed(plain[i], llama.factor(), Math.clamp(smooth, 0, 1));
        }
        return scaled;
    }

    private double[] yarn(double[] plain, Yarn yarn, int headWidth) {
        double low = dimension(yarn.betaFast(), headWidth, yarn.originalContext());
        double high = dimension(yarn.betaSlow(), headWidth, yarn.originalContext());
        if (yarn.truncate()) {
            low = Math.floor(low);
            high = Math.ceil(high);
        }
        low = Math.max(low, 0);
        high = Math.min(high, headWidth - 1.0);
        double length = low == high ? 0.001 : high - low;
        double[] scaled = plain.clone();
        for (int i = 0; i < scaled.length; i++) {
            scaled[i] = mixed(plain[i], yarn.factor(), 1 - Math.clamp((i - low) / length, 0, 1));
        }
        return scaled;
    }

    /** The dimension whose frequency turns so many times within the original context. */
    private double dimension(double rotations, int headWidth, double originalContext) {
        return headWidth * Math.log(originalContext / (rotations * 2 * Math.PI)) / (2 * Math.log(theta));
    }

    /** @param unchanged part of the frequency that is not divided, 0 to 1 */
    private static double mixed(double frequency, double factor, double unchanged) {
        return frequency / factor * (1 - unchanged) + frequency * unchanged;
    }
}
