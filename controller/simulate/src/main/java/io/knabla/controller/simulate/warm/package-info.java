/** Replays traces under keep-warm policies and measures cold starts and wasted memory. */
package io.knabla.controller.simulate.warm;
