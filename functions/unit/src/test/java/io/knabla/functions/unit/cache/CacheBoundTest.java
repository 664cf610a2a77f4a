package io.knabla.functions.unit.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.knabla.functions.unit.cache.CacheBound.Disk;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the cache's maximum size and the parsing of its setting. */
class CacheBoundTest {
    private static final long GIB = 1L << 30;

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
                    # scenario                      | setting | total | free | cached | bound | reason
                    a quarter of a large disk       |         | 100   | 90   | 0      | 25    | a quarter
                    the floor on a small one        |         | 10    | 9    | 0      | 4     | 4 GiB
                    what is cached counts as room   |         | 100   | 1    | 30     | 25    | a quarter
                    no more than there is           |         | 100   | 1    | 2      | 3     | no more free space
                    as set                          | 20GiB   | 100   | 90   | 0      | 20    | is 20GiB
                    as set, above the default       | 50 Gi   | 100   | 90   | 0      | 50    | is 50 Gi
                    as set, but not more than fits  | 1TiB    | 100   | 50   | 10     | 60    | no more free space
                    in bytes                        | 2147483648 | 100 | 50  | 0      | 2     | is 2147483648
                    """)
    void decides(String scenario, String setting, long total, long free, long cached, long bound, String reason) {
        CacheBound decided =
                CacheBound.decide(Optional.ofNullable(setting), new Disk(total * GIB, free * GIB, cached * GIB));

        assertThat(decided.bytes()).isEqualTo(bound * GIB);
        assertThat(decided.reason()).contains(reason);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "GiB", "-1", "0", "20GB", "1.5GiB", "9999999999TiB", "99999999999999999999"})
    void saysWhatToWrite(String setting) {
        assertThatThrownBy(() -> CacheBound.parse(setting))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("KNABLA_CACHE_BYTES is '" + setting + "'")
                .hasMessageContaining("such as 20GiB");
    }
}
