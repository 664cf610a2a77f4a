/**
 * Compiles JSON Schema (draft 2020-12) into automata that write JSON; start at
 * {@link io.knabla.runtime.generation.grammar.schema.SchemaCompiler}.
 */
package io.knabla.runtime.generation.grammar.schema;
