/**
 * Run by the build, not by users: completes {@code target/cli} and {@code target/quarkus-app} with AOT caches; start at
 * {@link io.knabla.controller.cli.assembly.AotCache}.
 */
package io.knabla.controller.cli.assembly;
