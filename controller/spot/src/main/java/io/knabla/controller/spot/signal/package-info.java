/** What providers announce of their nodes. */
package io.knabla.controller.spot.signal;
