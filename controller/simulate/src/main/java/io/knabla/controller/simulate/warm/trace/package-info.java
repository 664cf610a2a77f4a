/** Reads traces of invocations in public formats, and generates them from published facts. */
package io.knabla.controller.simulate.warm.trace;
