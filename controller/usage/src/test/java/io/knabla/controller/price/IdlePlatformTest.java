package io.knabla.controller.price;

import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Monthly cost of the platform of {@code terraform/aws} while no function runs, in us-east-1: holds the file that
 * {@code ./knabla doctor --aws} prints and the table of the README to the bundled prices.
 */
class IdlePlatformTest {
    private static final Path TERRAFORM = Path.of("../../terraform");
    private static final Path FILE = TERRAFORM.resolve("aws/idle-cost.csv");
    private static final BigDecimal HOURS_OF_A_MONTH = new BigDecimal("730");
    private static final Instant AT = Instant.parse("2026-08-01T00:00:00Z");

    /** In {@code network.tf}: ecr.api, ecr.dkr, sts, sqs. */
    private static final int ENDPOINTS = 4;

    /** In {@code storage.tf}: of the bucket, and of the cluster. */
    private static final int KEYS = 2;

    private static final int ZONES = 3;

    private static final RowBook BOOK = BundledPrices.book();
    private static final Map<String, PriceCsv.Row> PRICES =
            PriceCsv.bundled("aws-platform-us-east-1-2026-06.csv").stream()
                    .collect(toMap(row -> row.text("item"), row -> row));

    private record Line(String item, int count, BigDecimal perMonth) {
        BigDecimal usd() {
            return perMonth.multiply(BigDecimal.valueOf(count)).setScale(2, RoundingMode.HALF_UP);
        }
    }

    @Test
    void theFileIsWhatTheBundledPricesSay() throws IOException {
        var csv = new StringBuilder("size,item,count,usd_per_month\n");
        for (Map.Entry<String, JsonNode> size : sizes().properties()) {
            lines(size.getValue())
                    .forEach(line -> csv.append(
                            "%s,%s,%d,%s\n".formatted(size.getKey(), line.item(), line.count(), line.usd())));
        }
        if ("write".equals(System.getProperty("terraform"))) {
            Files.writeString(FILE, csv);
        }

        assertThat(FILE).as("write it again with -Dterraform=write").content().isEqualTo(csv.toString());
    }

    @Test
    void theReadmeHasTheSums() throws IOException {
        String readme = Files.readString(TERRAFORM.resolve("README.md"));

        assertThat(sizes().properties()).allSatisfy(size -> {
            BigDecimal sum = lines(size.getValue()).stream().map(Line::usd).reduce(BigDecimal.ZERO, BigDecimal::add);
            assertThat(readme).containsPattern("(?m)^\\| `%s` \\|.*\\| \\$%,.0f \\|$".formatted(size.getKey(), sum));
        });
    }

    private static List<Line> lines(JsonNode size) {
        int nodes = size.get("nodes").asInt();
        int gateways = size.get("nat_gateways").asInt();
        String type = size.get("instance_type").asText();
        var lines = new ArrayList<Line>();
        lines.add(line("EKS cluster", 1));
        lines.add(new Line(
                type + " on demand",
                nodes,
                BOOK.onDemand(type, "us-east-1", AT).orElseThrow().usd().multiply(HOURS_OF_A_MONTH)));
        lines.add(line("gp3 GiB", nodes * size.get("disk_gib").asInt()));
        lines.add(line("NAT gateway", gateways));
        lines.add(line(
                "interface endpoint in a zone",
                ENDPOINTS * size.get("endpoint_zones").asInt()));
        lines.add(line("load balancer", 1));
        lines.add(line("public IPv4 address", gateways + ZONES));
        lines.add(line("KMS key", KEYS));
        return lines;
    }

    private static Line line(String item, int count) {
        PriceCsv.Row price = PRICES.get(item);
        BigDecimal usd = price.amount("usd");
        return new Line(item, count, price.text("unit").equals("hour") ? usd.multiply(HOURS_OF_A_MONTH) : usd);
    }

    private static JsonNode sizes() throws IOException {
        return new ObjectMapper().readTree(TERRAFORM.resolve("aws/sizes.json").toFile());
    }
}
