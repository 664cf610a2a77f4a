/**
 * Named tensors in one file, in the safetensors format, streamed both ways; start at
 * {@link io.knabla.functions.unit.safetensors.SafeTensors}.
 */
package io.knabla.functions.unit.safetensors;
