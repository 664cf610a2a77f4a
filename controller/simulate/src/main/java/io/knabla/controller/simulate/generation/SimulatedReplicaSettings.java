package io.knabla.controller.simulate.generation;

/**
 * Settings of a simulated replica: its limits, what its steps cost, how it reads prompts, and its role.
 *
 * @param policy how many prompt tokens its steps read
 */
record SimulatedReplicaSettings(
        ReplicaLimits limits, StepCosts costs, Objectives objectives, ChunkPolicy policy, Role role) {
    /** What it does of a text. */
    enum Role {
        /** All of it. */
        BOTH,
        /** It reads the prompt, chooses the first token, and sends keys and values to another one. */
        READS
    }
}
