package io.knabla.runtime.openai;

import io.knabla.runtime.serve.ReplicaState;
import io.knabla.runtime.serve.ServedModel;

/** A model that is called with texts. */
public interface TextModel extends ServedModel {
    /** Answers requests for this model, once it is loaded. */
    TextHandler handler(ReplicaState state);
}
