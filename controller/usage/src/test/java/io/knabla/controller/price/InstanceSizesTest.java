package io.knabla.controller.price;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.usage.Resources;
import java.math.BigDecimal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class InstanceSizesTest {
    @Test
    void knowsTheSizesOfTheBundledTable() {
        assertThat(InstanceSizes.of("c5.12xlarge")).hasValue(new Resources(new BigDecimal("48"), 96L << 30, 0));
        assertThat(InstanceSizes.of("g4ad.16xlarge")).hasValue(new Resources(new BigDecimal("64"), 256L << 30, 4));
        assertThat(InstanceSizes.of("local")).isEmpty();
    }

    @Test
    void canReadEveryRow() {
        assertThat(PriceCsv.bundled(InstanceSizes.SIZES_2024))
                .hasSize(253)
                .extracting(row -> InstanceSizes.of(row.text("instance_type")))
                .allSatisfy(size -> assertThat(size.orElseThrow().vcpus()).isPositive());
    }

    @ParameterizedTest
    @CsvSource({
        "use1-az4,us-east-1", "usw2-az1,us-west-2", "euc1-az2,eu-central-1", "eun1-az1,eu-north-1",
        "apne1-az4,ap-northeast-1", "aps1-az1,ap-south-1", "cac1-az1,ca-central-1", "use1-bos1-az1,us-east-1",
        "usgw1-az1,us-gov-west-1"
    })
    void findsTheRegionOfAZoneId(String zoneId, String region) {
        assertThat(ZoneIds.region(zoneId)).hasValue(region);
    }

    @ParameterizedTest
    @ValueSource(strings = {"local", "local-a", "", "us-east-1a", "use-az1", "germany-1"})
    void findsNoRegionElsewhere(String zone) {
        assertThat(ZoneIds.region(zone)).isEmpty();
    }
}
