package io.knabla.controller.cost.query;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The account in a FOCUS export, and how it is known. */
record BillingAccount(String id, Source source) {
    private static final Pattern ROLE = Pattern.compile("arn:[a-z-]+:iam::(\\d{12}):role/.+");

    enum Source {
        /** {@code billingAccount} of config.yaml. */
        SETTING,
        /** The role that EKS gives the controller; organizations may pay by another account. */
        AWS_ROLE,
        /** Nothing tells the account. FOCUS requires one, so it is the store, of which each platform has one. */
        STORE
    }

    /**
     * @param aws whether the nodes are those of AWS
     * @param role ARN of the controller's role
     * @param store its location
     */
    static BillingAccount of(Optional<String> setting, boolean aws, Optional<String> role, String store) {
        Optional<BillingAccount> stated = setting.map(String::strip)
                .filter(id -> !id.isEmpty())
                .map(id -> new BillingAccount(id, Source.SETTING));
        return stated.or(() -> role.filter(_ -> aws)
                        .map(ROLE::matcher)
                        .filter(Matcher::matches)
                        .map(arn -> new BillingAccount(arn.group(1), Source.AWS_ROLE)))
                .orElseGet(() -> new BillingAccount(store, Source.STORE));
    }

    /** Name for people; empty for an account of the provider, whose name is not known. */
    Optional<String> displayName() {
        return switch (source) {
            case SETTING, AWS_ROLE -> Optional.empty();
            case STORE -> Optional.of("store of this platform, because billingAccount is not set");
        };
    }
}
