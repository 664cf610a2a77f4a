package io.knabla.storage.thorough;

import net.jqwik.api.lifecycle.AroundPropertyHook;
import net.jqwik.api.lifecycle.PropagationMode;
import net.jqwik.api.lifecycle.PropertyExecutionResult;
import net.jqwik.api.lifecycle.PropertyExecutor;
import net.jqwik.api.lifecycle.PropertyLifecycleContext;

/**
 * Reduces the tries of every jqwik property in each module that has these fixtures on its class path, unless
 * {@code ./knabla test thorough} runs; registered as a service of jqwik's.
 */
public final class FewerTries implements AroundPropertyHook {
    @Override
    public PropagationMode propagateTo() {
        return PropagationMode.ALL_DESCENDANTS;
    }

    @Override
    public PropertyExecutionResult aroundProperty(PropertyLifecycleContext context, PropertyExecutor property) {
        var attributes = context.attributes();
        attributes.tries().map(Thorough::tries).ifPresent(attributes::setTries);
        return property.execute();
    }
}
