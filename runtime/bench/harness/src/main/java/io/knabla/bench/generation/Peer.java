package io.knabla.bench.generation;

import java.util.Locale;

/** Another program that generates text; {@code generation.py} knows them by these names. */
enum Peer {
    LlamaCpp("llama.cpp", "llamacpp"),
    Torch("transformers, PyTorch eager", "torch"),
    Genai("onnxruntime-genai", "torch");

    final String title;

    /** Name of the file with the Python packages that it needs. */
    final String requirements;

    Peer(String title, String requirements) {
        this.title = title;
        this.requirements = requirements;
    }

    String scriptName() {
        return name().toLowerCase(Locale.ROOT);
    }
}
