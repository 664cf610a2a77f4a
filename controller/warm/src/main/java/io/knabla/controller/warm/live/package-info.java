/** Applies a policy to the requests of a running platform. */
package io.knabla.controller.warm.live;
