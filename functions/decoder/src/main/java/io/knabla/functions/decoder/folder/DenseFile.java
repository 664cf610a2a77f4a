package io.knabla.functions.decoder.folder;

import io.knabla.functions.decoder.config.Activation;
import io.knabla.functions.decoder.config.ConfigObject;
import io.knabla.functions.decoder.folder.EncoderOutput.Dense;
import java.util.OptionalInt;

/**
 * Reads the config.json of a module of type Dense.
 *
 * @param name of the module's folder, and a slash
 */
record DenseFile(FolderJson json, String name) {
    private static final String ACTIVATION = "activation_function";

    /** @param width elements of the vector that it multiplies, if they are known */
    Dense read(OptionalInt width) {
        ConfigObject config = json.object();
        checkNames(config);
        if (config.flag("use_residual", false)) {
            config.fault("use_residual", "is true, which is not known; only false is");
        }
        int input = config.size("in_features");
        if (width.isPresent() && width.getAsInt() != input) {
            config.fault("in_features", "is %d, but the vector before it has %d elements", input, width.getAsInt());
        }
        return new Dense(name, input, config.size("out_features"), config.flag("bias", true), activation(config));
    }

    /** Modules can be told to work on single tokens. */
    static void checkNames(ConfigObject config) {
        String text = "sentence_embedding";
        String input = config.text("module_input_name", text);
        if (!input.equals(text)) {
            config.fault("module_input_name", "is '%s'; only '%s' is known", input, text);
        }
        String output = config.text("module_output_name", text);
        if (!output.equals(text)) {
            config.fault("module_output_name", "is '%s'; only '%s' is known", output, text);
        }
    }

    private static Activation activation(ConfigObject config) {
        String type = config.text(ACTIVATION, "torch.nn.modules.activation.Tanh");
        return switch (type.startsWith("torch.nn.") ? type.substring(type.lastIndexOf('.') + 1) : type) {
            case "Identity" -> Activation.IDENTITY;
            case "GELU" -> Activation.GELU;
            case "ReLU" -> Activation.RELU;
            case "Sigmoid" -> Activation.SIGMOID;
            case "SiLU" -> Activation.SILU;
            case "Tanh" -> Activation.TANH;
            default -> {
                config.fault(
                        ACTIVATION,
                        "unknown activation '%s'; known are Identity, GELU, ReLU, Sigmoid, SiLU and Tanh of torch.nn",
                        type);
                yield Activation.IDENTITY;
            }
        };
    }
}
