package io.knabla.controller.simulate.generation;

/**
 * What a policy reaches with objectives. Goodput is that of DistServe (Zhong et al., OSDI 2024); smooth goodput follows
 * Wang et al. (arXiv 2410.14257), where a token counts one and a reader's wait as many as are due in it.
 *
 * @param ttftSeconds objective of the time to the first token
 * @param tpotSeconds objective of the time for each further token
 * @param rate requests a second of each replica at which the rest was measured
 * @param goodput highest rate of each replica at which 90 % of the requests keep both objectives, refused ones not;
 *     null if the rate was given
 * @param smoothGoodput tokens a second of each replica
 * @param attained share of the requests that keep both objectives
 * @param preempted how often a text was interrupted for lack of memory
 */
public record GoodputRow(
        String policy,
        String trace,
        int replicas,
        double ttftSeconds,
        double tpotSeconds,
        double rate,
        Double goodput,
        double smoothGoodput,
        double attained,
        double missedTtft,
        double missedTpot,
        double refused,
        long preempted) {}
