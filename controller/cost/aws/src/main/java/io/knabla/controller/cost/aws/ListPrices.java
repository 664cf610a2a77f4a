package io.knabla.controller.cost.aws;

import io.knabla.controller.cost.pricelist.PriceSource;
import io.knabla.controller.price.ParsedRows;
import io.knabla.controller.price.PriceListProducts;
import io.knabla.controller.price.PriceRow;
import io.knabla.controller.price.ServerlessPriceList;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import software.amazon.awssdk.services.pricing.PricingClient;
import software.amazon.awssdk.services.pricing.model.Filter;
import software.amazon.awssdk.services.pricing.model.FilterType;

/**
 * Prices of AWS's Price List in one region.
 *
 * @param region that prices are asked for; the Price List itself answers elsewhere
 */
record ListPrices(String name, String region, Function<Instant, ParsedRows> answer) implements PriceSource {
    /** A region has fewer than a thousand products of ECS. */
    private static final int MAX_PRODUCTS = 20_000;

    static ListPrices lambda(PricingClient client, String region) {
        return new ListPrices(
                "aws-lambda",
                region,
                now -> ServerlessPriceList.lambda(
                        region, products(client, "AWSLambda", Map.of("regionCode", region)), now));
    }

    static ListPrices fargate(PricingClient client, String region) {
        return new ListPrices(
                "aws-fargate",
                region,
                now -> ServerlessPriceList.fargate(
                        region, products(client, "AmazonECS", Map.of("regionCode", region)), now));
    }

    /** On demand and reserved, Linux. */
    static ListPrices instances(PricingClient client, String region, List<String> types) {
        return new ListPrices("aws-ec2", region, now -> {
            List<PriceRow> rows = new ArrayList<>();
            List<String> faults = new ArrayList<>();
            for (String type : types) {
                ParsedRows parsed = PriceListProducts.rows(products(client, "AmazonEC2", filters(region, type)), now);
                rows.addAll(parsed.rows());
                faults.addAll(parsed.faults());
                if (parsed.rows().isEmpty() && parsed.faults().isEmpty()) {
                    faults.add("AWS lists no price of %s there; is it named as AWS names it?".formatted(type));
                }
            }
            return new ParsedRows(rows, faults);
        });
    }

    private static Map<String, String> filters(String region, String type) {
        Map<String, String> filters = new LinkedHashMap<>();
        filters.put("regionCode", region);
        filters.put("instanceType", type);
        filters.put("operatingSystem", "Linux");
        filters.put("tenancy", "Shared");
        filters.put("preInstalledSw", "NA");
        filters.put("capacitystatus", "Used");
        filters.put("marketoption", "OnDemand");
        return filters;
    }

    private static List<String> products(PricingClient client, String service, Map<String, String> filters) {
        List<String> products = client
                .getProductsPaginator(request -> request.serviceCode(service)
                        .formatVersion("aws_v1")
                        .filters(filters.entrySet().stream()
                                .map(filter -> Filter.builder()
                                        .type(FilterType.TERM_MATCH)
                                        .field(filter.getKey())
                                        .value(filter.getValue())
                                        .build())
                                .toList()))
                .priceList()
                .stream()
                .limit(MAX_PRODUCTS)
                .toList();
        if (products.size() == MAX_PRODUCTS) {
            throw new IllegalStateException(
                    "the Price List answers with more than %d products of %s".formatted(MAX_PRODUCTS, service));
        }
        return products;
    }

    @Override
    public ParsedRows fetch(List<PriceRow> stored, Instant now) {
        return answer.apply(now);
    }
}
