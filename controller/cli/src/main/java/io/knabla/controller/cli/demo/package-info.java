/**
 * Runs {@code ./knabla demo}: a full run of the platform, step by step; start at
 * {@link io.knabla.controller.cli.demo.DemoSteps}.
 */
package io.knabla.controller.cli.demo;
