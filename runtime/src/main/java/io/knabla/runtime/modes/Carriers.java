package io.knabla.runtime.modes;

import java.lang.management.ManagementFactory;
import jdk.management.VirtualThreadSchedulerMXBean;

/** Sets how many platform threads carry virtual threads. A run pins its carrier, because the engine is native code. */
final class Carriers {
    /** Carriers beyond those that engine runs block: health checks must answer while all runs are busy. */
    private static final int SPARE = 2;

    private static final String PROPERTY = "jdk.virtualThreadScheduler.parallelism";

    private Carriers() {}

    /** Must be called before the first virtual thread starts. */
    static void prepare(int runs) {
        System.setProperty(PROPERTY, Integer.toString(runs + SPARE));
    }

    /** Changes the number while virtual threads run; loads the JDK's management classes only if it differs. */
    static void resize(int runs) {
        if (Integer.getInteger(PROPERTY, 0) != runs + SPARE) {
            ManagementFactory.getPlatformMXBean(VirtualThreadSchedulerMXBean.class)
                    .setParallelism(runs + SPARE);
        }
    }
}
