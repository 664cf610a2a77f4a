package io.knabla.controller.cost.query;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.knabla.controller.config.Settings;
import io.knabla.controller.cost.page.CostPage;
import io.knabla.controller.cost.page.CostPageInput;
import io.knabla.controller.cost.report.CostCsv;
import io.knabla.controller.cost.report.CostJson;
import io.knabla.controller.cost.report.FocusCsv;
import io.knabla.controller.cost.report.FocusOrigin;
import io.knabla.controller.cost.token.TokenPrice;
import io.knabla.controller.home.ConfigFile;
import io.knabla.controller.home.Home;
import io.knabla.storage.ObjectStore;
import jakarta.inject.Singleton;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/** Writes a report in the format that was asked for. */
@Singleton
public class CostWriter {
    private static final Pattern AWS_REGION = Pattern.compile("[a-z]{2}(-[a-z]+)+-\\d");

    private final ObjectMapper mapper;
    private final Settings settings;
    private final ObjectStore store;
    private final Optional<String> role;
    private final List<TokenPrice> tokenPrices;

    /** @param role that EKS gives this controller's pod by this variable */
    CostWriter(
            ObjectMapper mapper,
            Settings settings,
            ObjectStore store,
            Home home,
            @ConfigProperty(name = "AWS_ROLE_ARN") Optional<String> role) {
        this.mapper = mapper;
        this.settings = settings;
        this.store = store;
        this.role = role;
        this.tokenPrices = CostSettings.of(ConfigFile.read(home.config())).tokenPrices();
    }

    /** Writes to memory: a client that reads slowly, or leaves, then holds up no other report. */
    public byte[] write(CostAnswer answer, CostFormat format) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (Writer text = new OutputStreamWriter(bytes, StandardCharsets.UTF_8)) {
            switch (format) {
                case JSON -> CostJson.write(answer.report(), tokenPrices, more -> addFindings(answer, more), bytes);
                case CSV -> CostCsv.write(answer.report().table(), text);
                case FOCUS -> FocusCsv.write(answer.focus(), origin(answer), text);
                case HTML -> CostPage.write(page(answer), bytes);
                case PAGE_DATA -> text.write(CostPage.data(page(answer)));
                case TABLE -> mapper.writeValue(bytes, TerminalReport.of(answer, tokenPrices));
            }
        }
        return bytes.toByteArray();
    }

    private CostPageInput page(CostAnswer answer) {
        List<String> damages = answer.damages().stream()
                .map(damage -> "%s: %s, %s".formatted(damage.name(), ConstantNames.of(damage.type()), damage.detail()))
                .toList();
        CostQuery query = answer.query();
        return new CostPageInput(answer.rows(), query.period(), query.zone(), answer.results(), tokenPrices, damages);
    }

    private void addFindings(CostAnswer answer, JsonGenerator out) throws IOException {
        out.writeFieldName("damages");
        mapper.writeValue(out, answer.damages());
        out.writeFieldName("priceDamages");
        mapper.writeValue(out, answer.priceDamages());
        out.writeFieldName("budgets");
        mapper.writeValue(out, answer.budgets().stream().map(BudgetView::of).toList());
        out.writeFieldName("forecasts");
        mapper.writeValue(out, answer.forecasts());
    }

    /** A region's name tells whether the nodes are those of AWS. */
    private FocusOrigin origin(CostAnswer answer) {
        boolean aws = answer.rows().nodes().stream()
                .anyMatch(node -> AWS_REGION.matcher(node.region()).matches());
        BillingAccount account = BillingAccount.of(settings.billingAccount(), aws, role, store.location());
        return aws
                ? new FocusOrigin(account.id(), account.displayName(), "AWS", "AWS", "Amazon Elastic Compute Cloud")
                : new FocusOrigin(account.id(), account.displayName(), "self", "self", "own machines");
    }
}
