/** Reads and writes safetensors files as streams; start at {@link io.knabla.functions.unit.safetensors.SafeTensors}. */
package io.knabla.functions.unit.safetensors;
