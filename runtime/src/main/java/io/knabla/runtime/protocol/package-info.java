/** Open Inference Protocol v2, JSON and binary tensors, in both directions; start at {@link io.knabla.runtime.protocol.RequestDecoder}. */
package io.knabla.runtime.protocol;
