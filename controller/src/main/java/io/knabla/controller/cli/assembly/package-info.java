/** Run by the build, not by users: makes {@code target/cli} and its AOT cache; start at {@link io.knabla.controller.cli.assembly.AssembleCli}. */
package io.knabla.controller.cli.assembly;
