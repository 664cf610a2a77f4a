import control.api.DefaultApi;
import control.model.FunctionView;
import control.model.TrafficSplit;
import control.model.TrafficTarget;
import java.util.List;
import lecture.model.InferRequest;
import lecture.model.InferRequestInputsInner;
import lecture.model.InputX1;
import lecture.model.InputX2;
import lecture.model.RequestedOutput;

/** Calls the control API and a function through classes that openapi-generator made. */
class Client {
    public static void main(String[] args) throws Exception {
        var api = new DefaultApi(client(args[0]));
        FunctionView view = api.getFunction("lecture", "default");
        check("lecture", view.getName());
        check("Gradient", view.getSpec().getType().toString());
        check(4, view.getSpec().getScaling().getMax());
        var split = new TrafficSplit().traffic(List.of(new TrafficTarget().version(1).percent(100)));
        check(1, api.setTraffic("lecture", "default", split).getTraffic().getFirst().getVersion());
        try {
            api.getFunction("none", "default");
            throw new AssertionError("there is no such function");
        } catch (control.ApiException refused) {
            check(404, refused.getCode());
        }
        infer(args[0]);
    }

    private static control.ApiClient client(String server) {
        var client = new control.ApiClient();
        client.updateBaseUri(server);
        return client;
    }

    private static void infer(String server) throws Exception {
        var client = new lecture.ApiClient();
        client.updateBaseUri(server + "/functions/default/lecture");
        var request = new InferRequest()
                .inputs(List.of(
                        new InferRequestInputsInner(new InputX1()
                                .name(InputX1.NameEnum.X1)
                                .datatype(InputX1.DatatypeEnum.FP32)
                                .data(List.of(2f))),
                        new InferRequestInputsInner(new InputX2()
                                .name(InputX2.NameEnum.X2)
                                .datatype(InputX2.DatatypeEnum.FP32)
                                .data(List.of(5f)))))
                .outputs(List.of(new RequestedOutput().name(RequestedOutput.NameEnum.X1_GRAD)));
        var output = new lecture.api.DefaultApi(client).infer(request).getOutputs().getFirst();
        check(5.5f, output.getOutputX1Grad().getData().getFirst());
    }

    private static void check(Object expected, Object found) {
        if (!expected.equals(found)) {
            throw new AssertionError("expected " + expected + ", found " + found);
        }
    }
}
