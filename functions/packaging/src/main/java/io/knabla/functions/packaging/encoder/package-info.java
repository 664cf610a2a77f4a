/** Plans the units of encoders; start at {@link io.knabla.functions.packaging.encoder.EncoderPlan}. */
package io.knabla.functions.packaging.encoder;
