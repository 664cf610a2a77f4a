/**
 * Recomputes values instead of keeping them in memory (gradient checkpointing); start at
 * {@link io.knabla.functions.compiler.optimize.memory.RecomputationPlanner}.
 */
package io.knabla.functions.compiler.optimize.memory;
