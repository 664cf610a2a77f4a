/**
 * Reads, checks and writes {@code function.yaml}, and generates the CRD; start at
 * {@link io.knabla.functions.spec.FunctionYaml}.
 */
package io.knabla.functions.spec;
