/** Keep-warm policies that were published, which no function can choose. */
package io.knabla.controller.simulate.warm.baseline;
