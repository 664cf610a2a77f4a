package io.knabla.runtime.generation;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URL;
import java.net.URLClassLoader;
import org.junit.jupiter.api.Test;

class SamplingTest {
    /** In a replica a request has penalties, so that their class comes first. */
    @Test
    void constantsAreWholeWhicheverClassIsInitialisedFirst() throws Exception {
        URL classes = Sampling.class.getProtectionDomain().getCodeSource().getLocation();
        for (String first : new String[] {Sampling.class.getName(), Sampling.Penalties.class.getName()}) {
            try (var loader = new URLClassLoader(new URL[] {classes}, null)) {
                Class.forName(first, true, loader);
                Class<?> sampling = Class.forName(Sampling.class.getName(), true, loader);
                Object greedy = sampling.getField("GREEDY").get(null);
                assertThat(sampling.getMethod("penalties").invoke(greedy))
                        .as(first)
                        .isNotNull();
            }
        }
    }
}
