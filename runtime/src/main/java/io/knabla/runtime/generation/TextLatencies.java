package io.knabla.runtime.generation;

/**
 * Histograms of the times that texts took since the start of a replica.
 *
 * @param queue from a request's arrival until its text is begun
 * @param firstToken from a request's arrival until the first token is chosen
 * @param interToken between two tokens of a text, one after the other
 * @param perOutputToken of each complete text of two tokens or more, the mean time between them
 * @param objectives texts that met and missed the function's objectives
 */
public record TextLatencies(
        LatencyCounts queue,
        LatencyCounts firstToken,
        LatencyCounts interToken,
        LatencyCounts perOutputToken,
        ObjectiveCounts objectives) {
    /**
     * Texts by the objectives of the function; without objectives none is missed.
     *
     * @param met complete ones that met all objectives: the goodput
     * @param missedFirstToken whose first token came late, or never since the request waited too long
     * @param missedPerOutputToken complete ones whose tokens came too slowly
     */
    public record ObjectiveCounts(long met, long missedFirstToken, long missedPerOutputToken) {}
}
