package io.knabla.controller.cost.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.knabla.controller.pages.HtmlPage;
import io.knabla.controller.pages.SharedScript;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Opens pages in a headless Chromium; their pictures are left in {@code target/cost-page}. */
class CostPageBrowserTest {
    private static final Path PICTURES = Path.of("target", "cost-page");

    @TempDir
    static Path folder;

    private static Chromium browser;
    private static URI page;

    @BeforeAll
    static void start() throws IOException {
        String skipped =
                "SKIPPED: no chromium on the PATH, so no cost page was opened; Debian: apt-get install chromium";
        if (Chromium.installed().isEmpty()) {
            System.out.println(skipped);
        }
        assumeTrue(Chromium.installed().isPresent(), skipped);
        browser = new Chromium(folder.resolve("profile"));
        page = file(UsageSample.twoWeeks(), "page.html");
    }

    @AfterAll
    static void stop() {
        if (browser != null) {
            browser.close();
        }
    }

    /** A live page of the test before goes on asking its server, which is gone: it is left first. */
    @BeforeEach
    void forget() {
        browser.open(URI.create("about:blank"), 1280, 900, false);
        browser.events.clear();
    }

    @ParameterizedTest
    @CsvSource({"light, 1280, false", "dark, 1280, true", "phone, 360, false", "phone-dark, 360, true"})
    void aPageIsDrawnAndLoadsNothing(String name, int width, boolean dark) throws IOException {
        browser.open(page, width, width == 360 ? 740 : 900, dark);
        browser.picture(PICTURES.resolve(name + ".png"));
        assertThat(browser.complaints()).isEmpty();
        assertThat(browser.requests())
                .contains(page.toString())
                .allMatch(address -> address.equals(page.toString()) || address.startsWith("data:"));
        assertThat(browser.evaluate("[...document.querySelectorAll('.chart')].map(chart =>"
                        + " chart.querySelectorAll('svg path').length)"))
                .hasSize(3)
                .allMatch(paths -> paths.asInt() > 10);
        assertThat(browser.evaluate("document.querySelectorAll('.spark svg path').length")
                        .asInt())
                .isGreaterThanOrEqualTo(9);
        assertThat(browser.evaluate("document.documentElement.scrollWidth").asInt())
                .isLessThanOrEqualTo(width);
    }

    /** Each element with text of its own, against the nearest background that is not transparent. */
    @ParameterizedTest
    @CsvSource({"false", "true"})
    void textsHaveContrast(boolean dark) {
        browser.open(page, 1280, 900, dark);
        assertThat(browser.evaluate("""
                (() => {
                  const rgb = text => text.match(/[\\d.]+/g).map(Number);
                  const light = ([r, g, b]) => [r, g, b].map(v => v / 255)
                    .map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
                    .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
                  const behind = e => { const c = rgb(getComputedStyle(e).backgroundColor); return c[3] === 0 ? behind(e.parentElement) : c; };
                  return [...document.querySelectorAll('body *:not(script):not(.hidden)')]
                    .filter(e => !e.closest('svg') && e.checkVisibility() && [...e.childNodes].some(n => n.nodeType === 3 && n.data.trim()))
                    .map(e => {
                      const [a, b] = [light(rgb(getComputedStyle(e).color)), light(behind(e))].sort((x, y) => y - x);
                      return [(a + 0.05) / (b + 0.05), e.outerHTML.slice(0, 90)];
                    }).filter(([contrast]) => contrast < 4.5).map(String);
                })()""")).isEmpty();
        assertThat(browser.evaluate("getComputedStyle(document.body).backgroundColor")
                        .asText())
                .isEqualTo(dark ? "rgb(13, 16, 20)" : "rgb(244, 246, 248)");
    }

    @Test
    void everythingHasANameForScreenReaders() {
        browser.open(page, 1280, 900, false);
        assertThat(browser.evaluate("""
                (() => {
                  const wrong = [];
                  const all = (selector, right) => document.querySelectorAll(selector).forEach(e => right(e) || wrong.push(e.outerHTML.slice(0, 90)));
                  all('html', e => e.lang);
                  all('button', e => e.textContent.trim());
                  all('select, input:not([type=hidden])', e => e.labels.length);
                  all('section', e => document.getElementById(e.getAttribute('aria-labelledby'))?.textContent);
                  all('.chart, .spark', e => e.getAttribute('aria-label')?.length > 10 && (e.getAttribute('role') === 'img'));
                  all('th', e => e.scope);
                  all('[tabindex="0"]', e => e.getAttribute('role') === 'region' && e.getAttribute('aria-labelledby'));
                  all('[id]', e => document.querySelectorAll('#' + CSS.escape(e.id)).length === 1);
                  all('#time, #saved, #scenarios', e => e.parentElement.querySelectorAll('details table tbody tr').length > 2);
                  if (document.querySelectorAll('h1').length !== 1) wrong.push('h1');
                  return wrong;
                })()""")).isEmpty();
    }

    @Test
    void theKeyboardChangesTheTheme() {
        browser.open(page, 1280, 900, false);
        String color = "getComputedStyle(document.querySelector('#time svg text')).fill";
        String before = browser.evaluate(color).asText();
        browser.evaluate("document.getElementById('theme').focus()");
        for (String type : List.of("keyDown", "keyUp")) {
            browser.call(
                    "Input.dispatchKeyEvent",
                    Map.of("type", type, "key", "Enter", "code", "Enter", "text", "\r", "windowsVirtualKeyCode", 13));
        }
        assertThat(browser.evaluate("getComputedStyle(document.body).backgroundColor")
                        .asText())
                .isEqualTo("rgb(13, 16, 20)");
        assertThat(browser.evaluate("document.getElementById('theme').textContent")
                        .asText())
                .isEqualTo("Light");
        assertThat(browser.evaluate("new Promise(done => requestAnimationFrame(() => done(" + color + ")))")
                        .asText())
                .isNotEqualTo(before);
    }

    @Test
    void chartsFitOnPaper() throws IOException {
        browser.open(page, 1280, 900, true);
        browser.evaluate(
                "matchMedia('print').addEventListener('change', e => { if (e.matches) window.printed ="
                        + " [...document.querySelectorAll('.chart')].map(c => c.querySelector('svg').getBoundingClientRect().width <= c.clientWidth)"
                        + ".concat(getComputedStyle(document.querySelector('section')).backgroundColor === 'rgb(255, 255, 255)') })");
        Path pdf = PICTURES.resolve("print.pdf");
        browser.pdf(pdf);
        assertThat(browser.evaluate("window.printed")).hasSize(4).allMatch(fits -> fits.asBoolean());
        assertThat(Files.readAllBytes(pdf))
                .startsWith("%PDF".getBytes(StandardCharsets.US_ASCII))
                .hasSizeGreaterThan(50_000);
        assertThat(browser.evaluate("getComputedStyle(document.body).backgroundColor")
                        .asText())
                .as("after printing")
                .isEqualTo("rgb(13, 16, 20)");
    }

    @Test
    void hostileNamesAreTexts() throws IOException {
        String name = "shop/" + CostPageTest.HOSTILE;
        browser.open(
                file(UsageSample.input(2, List.of(name), List.of(CostPageTest.HOSTILE)), "hostile.html"),
                360,
                740,
                false);
        assertThat(browser.evaluate("window.pwned === undefined").asBoolean()).isTrue();
        assertThat(browser.evaluate("document.querySelector('#functions-table tbody th').textContent")
                        .asText())
                .isEqualTo(name);
        assertThat(browser.evaluate("document.querySelector('#notices li').textContent")
                        .asText())
                .isEqualTo(CostPageTest.HOSTILE);
        assertThat(browser.complaints()).isEmpty();
        assertThat(browser.evaluate("document.documentElement.scrollWidth").asInt())
                .isLessThanOrEqualTo(360);
    }

    @Test
    void missingPricesAreSeen() throws IOException {
        browser.open(file(UsageSample.withoutPrices(), "no-prices.html"), 1280, 900, false);
        assertThat(browser.complaints()).isEmpty();
        assertThat(browser.evaluate("document.getElementById('notices').textContent")
                        .asText())
                .contains("Without a price, and left out of the sums", "unknown.large");
        assertThat(browser.evaluate("document.querySelector('#tiles dd').textContent")
                        .asText())
                .isEqualTo("no price");
        assertThat(browser.evaluate("document.getElementById('saved').textContent")
                        .asText())
                .contains("Not drawn: prices are missing");
    }

    @Test
    void anEmptyReportIsAPage() throws IOException {
        CostPageInput sample = UsageSample.empty();
        browser.open(file(sample, "empty.html"), 1280, 900, false);
        assertThat(browser.complaints()).isEmpty();
        assertThat(browser.evaluate("document.querySelector('#tiles dd').textContent")
                        .asText())
                .isEqualTo("$0.00");
    }

    @Test
    void aLivePageLoadsItsDataAgainAndSaysWhenItCannot() throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        ByteArrayOutputStream html = new ByteArrayOutputStream();
        CostPage.writeLive(new CostPage.Reload("/data?format=page-data", Duration.ofSeconds(1)), html);
        byte[] data = CostPage.data(UsageSample.twoWeeks()).getBytes(StandardCharsets.UTF_8);
        SharedScript charts = HtmlPage.charts();
        byte[] script = charts.text().getBytes(StandardCharsets.UTF_8);
        server.createContext("/costs", exchange -> answer(exchange, "text/html; charset=utf-8", html.toByteArray()));
        server.createContext(charts.path(), exchange -> answer(exchange, "text/javascript; charset=utf-8", script));
        server.createContext("/data", exchange -> answer(exchange, "application/json", data));
        server.start();
        try {
            browser.open(
                    URI.create("http://127.0.0.1:%d/costs?from=-7d"
                            .formatted(server.getAddress().getPort())),
                    1280,
                    900,
                    false);
            awaitStatus("Updated");
            assertThat(browser.evaluate("document.querySelector('#tiles dd').textContent")
                            .asText())
                    .startsWith("$");
            assertThat(browser.evaluate("document.getElementById('from').value").asText())
                    .isEqualTo("-7d");
            browser.picture(PICTURES.resolve("live.png"));
            assertThat(browser.complaints()).isEmpty();
            assertThat(browser.requests())
                    .anyMatch(address -> address.endsWith("/data?format=page-data&from=-7d"))
                    .anyMatch(address -> address.endsWith(charts.path()));
            assertThat(browser.evaluate("document.querySelectorAll('.chart svg path').length")
                            .asInt())
                    .isGreaterThan(30);
        } finally {
            server.stop(0);
        }
        awaitStatus("Not updated");
    }

    /** Until the page says so: an observer, so that nothing is asked again and again. */
    private static void awaitStatus(String start) {
        browser.evaluate("""
                new Promise(done => {
                  const status = document.getElementById('status');
                  const look = () => status.textContent.startsWith('%s') && done(true);
                  new MutationObserver(look).observe(status, {childList: true, characterData: true, subtree: true});
                  look();
                })""".formatted(start));
    }

    private static void answer(HttpExchange exchange, String type, byte[] body) throws IOException {
        try (exchange) {
            exchange.getResponseHeaders().set("Content-Type", type);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
        }
    }

    private static URI file(CostPageInput input, String name) throws IOException {
        Path file = Files.createDirectories(PICTURES).resolve(name).toAbsolutePath();
        try (OutputStream out = Files.newOutputStream(file)) {
            CostPage.write(input, out);
        }
        return file.toUri();
    }
}
