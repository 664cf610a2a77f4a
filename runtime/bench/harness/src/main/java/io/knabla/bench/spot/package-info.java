/** {@code bench spot}: decisions on where replicas run. */
package io.knabla.bench.spot;
