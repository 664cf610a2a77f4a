/**
 * Prepares a function.yaml or a local model file for a deploy; start at
 * {@link io.knabla.controller.cli.models.FunctionFile}.
 */
package io.knabla.controller.cli.models;
