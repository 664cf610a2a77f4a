/** Receives what AWS announces of its instances, from a queue or from the machine's own metadata. */
package io.knabla.controller.spot.aws;
