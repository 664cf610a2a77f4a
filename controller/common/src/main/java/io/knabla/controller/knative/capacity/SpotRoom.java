package io.knabla.controller.knative.capacity;

/** Whether spot capacity has room for a function's replicas. */
public enum SpotRoom {
    YES,
    NO,
    /** It had none a while ago; a replica that becomes ready there shows that it has some. */
    TRIED
}
