/** {@code bench generation}: text generation against llama.cpp, onnxruntime-genai and PyTorch, and against itself. */
package io.knabla.bench.generation;
