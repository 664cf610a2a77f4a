package io.knabla.controller.knative.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.knabla.functions.Fault;
import io.knabla.functions.spec.FunctionYaml;
import io.knabla.functions.spec.Parsed.Invalid;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Functions from HCL: the example of {@code terraform/} is applied, changed, imported into, refused and destroyed. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class FunctionModuleOnCluster {
    @RegisterExtension
    @Order(0)
    static final Terraform terraform = new Terraform();

    @RegisterExtension
    @Order(1)
    static final TestCluster cluster = new TestCluster();

    @RegisterExtension
    @Order(2)
    static final InstalledPlatform platform = new InstalledPlatform(cluster);

    private static Functions functions;

    @BeforeAll
    static void makeNamespace() throws IOException {
        functions = new Functions(cluster, cluster.namespace("terraform"));
        FunctionNamespace.apply(cluster, functions.namespace());
        terraform.set("KUBE_CONFIG_PATH", TestCluster.kubeconfig().toString());
        terraform.set("TF_VAR_namespace", functions.namespace());
        // Where a test cluster has nodes that only seem to run pods, they are spot nodes.
        terraform.set("TF_VAR_placement", "{capacity = \"OnDemand\"}");
    }

    private static void apply() {
        platform.withServer(server -> terraform.run(server, "apply", "-auto-approve"))
                .good();
    }

    private static void planHasNoDiff() {
        Ran plan = terraform.run("plan", "-detailed-exitcode");

        assertThat(plan.status()).as(plan.out() + plan.err()).isZero();
    }

    private static JsonNode output(String function) throws IOException {
        String outputs = terraform.run("output", "-json", "functions").good().out();
        return Functions.JSON.readTree(outputs).path(function);
    }

    private static void answers(String name) throws IOException {
        JsonNode logits = Functions.output(Functions.json(functions.infer(name, "digits")), "logits");

        assertThat(Functions.numbers(logits))
                .containsExactly(
                        Functions.numbers(Functions.output(Functions.expected("digits"), "logits")), within(1e-4));
    }

    @Test
    @Order(1)
    void appliesThreeFunctionsThatAnswer() throws IOException {
        apply();

        for (String name : List.of("local", "stored", "gradient")) {
            assertThat(output(name).path("url").asText())
                    .isEqualTo(functions.get("digits-" + name).getStatus().url());
            assertThat(output(name).path("version").asInt()).isEqualTo(1);
        }
        answers("digits-local");
        answers("digits-stored");
        JsonNode gradients = Functions.json(functions.infer("digits-gradient", "digits-gradient"));
        assertThat(Functions.numbers(Functions.output(gradients, "loss"))).hasSize(1);
        planHasNoDiff();
    }

    @Test
    @Order(2)
    void changeIsNewVersionThatAnswersAfterApply() throws IOException {
        terraform.edit("maxSize = 8", "maxSize = 4");
        apply();

        assertThat(output("local").path("version").asInt()).isEqualTo(2);
        assertThat(functions.infer("digits-local", "digits").headers().firstValue("Knabla-Version"))
                .hasValue("2");
        planHasNoDiff();
    }

    @Test
    @Order(3)
    void importsFunctionOfKubectlAndTakesItOver() throws IOException {
        ObjectNode document = functions.forKubectl("digits");
        document.withObject("spec").withObject("resources").put("cpu", "100m");
        functions.apply(document);
        functions.awaitReady("digits");
        terraform.write("imported.tf", imported(""));

        Ran refused = terraform.run("apply", "-auto-approve");

        assertThat(refused.status()).isNotZero();
        assertThat(refused.err().replaceAll("\\s+", " "))
                .contains("field manager conflict", "kubectl-client-side-apply");
        terraform.write("imported.tf", imported("take_over = true"));
        apply();
        assertThat(functions.get("digits").getSpec().toString()).contains("7m");
        planHasNoDiff();
    }

    /** Another limit than that of the sample's file. */
    private static String imported(String takeOver) {
        return """
                module "imported" {
                  source    = "../../modules/function"
                  name      = "digits"
                  namespace = var.namespace
                  model     = module.local.model
                  scaling   = { max = 3, idleAfter = "7m" }
                  %s
                }

                import {
                  to = module.imported.kubernetes_manifest.function
                  id = "apiVersion=knabla.dev/v1alpha1,kind=Function,namespace=${var.namespace},name=digits"
                }
                """.formatted(takeOver);
    }

    @Test
    @Order(4)
    void refusesWrongSpecAsFunctionYamlDoes() throws IOException {
        ObjectNode document = functions.forKubectl("digits");
        document.withObject("spec").put("timeout", "soon").putObject("scaling").put("min", -1);
        terraform.write("wrong.tf", """
                module "wrong" {
                  source    = "../../modules/function"
                  name      = "wrong"
                  namespace = var.namespace
                  model     = module.local.model
                  timeout   = "soon"
                  scaling   = { min = -1 }
                }
                """);

        String plan = terraform.run("plan", "-json").out();
        terraform.delete("wrong.tf");

        List<Fault> faults = ((Invalid) FunctionYaml.parse(document.toString())).faults();
        assertThat(faults)
                .hasSize(2)
                .allSatisfy(fault -> assertThat(details(plan)).anyMatch(detail -> saysTheSame(detail, fault)));
    }

    /** HCL shows what was found in its own way. */
    private static boolean saysTheSame(String detail, Fault fault) {
        String allowed = fault.message().replaceFirst("^found [^;]*", "");
        return detail.startsWith(fault.path() + ": found ") && detail.endsWith(allowed);
    }

    private static List<String> details(String plan) {
        return plan.lines()
                .filter(line -> line.startsWith("{"))
                .map(FunctionModuleOnCluster::detail)
                .map(detail -> detail.lines().findFirst().orElse(""))
                .toList();
    }

    private static String detail(String line) {
        try {
            return Functions.JSON.readTree(line).at("/diagnostic/detail").asText();
        } catch (IOException none) {
            throw new AssertionError("no JSON: " + line, none);
        }
    }

    @Test
    @Order(5)
    void destroysFunctionsWithTheirObjects() {
        platform.withServer(server -> terraform.run(server, "destroy", "-auto-approve"))
                .good();

        TestCluster.await()
                .untilAsserted(() -> assertThat(functions.everything()).isEmpty());
    }
}
