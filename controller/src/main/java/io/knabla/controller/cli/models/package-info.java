/**
 * From a function.yaml or a model file on this machine to what the platform takes; start at
 * {@link io.knabla.controller.cli.models.FunctionFile}.
 */
package io.knabla.controller.cli.models;
