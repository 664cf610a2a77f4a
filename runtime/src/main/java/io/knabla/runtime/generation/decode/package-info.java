/**
 * Keeps keys and values of sequences in slots and runs the decoder on them; start at
 * {@link io.knabla.runtime.generation.decode.Decoder}.
 */
package io.knabla.runtime.generation.decode;
