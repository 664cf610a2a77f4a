/** The replica program: reads its settings and runs one of the modes; start at {@link io.knabla.runtime.Main}. */
package io.knabla.runtime;
