package dev.ratelimit.test;

import net.jqwik.api.lifecycle.AroundPropertyHook;
import net.jqwik.api.lifecycle.PropagationMode;
import net.jqwik.api.lifecycle.PropertyExecutionResult;
import net.jqwik.api.lifecycle.PropertyExecutor;
import net.jqwik.api.lifecycle.PropertyLifecycleContext;

/**
 * Reports jqwik properties to the {@link HangDetector}. jqwik finds this class in
 * {@code META-INF/services}.
 */
public final class HangHook implements AroundPropertyHook {

	@Override
	public PropertyExecutionResult aroundProperty(PropertyLifecycleContext context, PropertyExecutor property) {
		HangDetector.begin(context.extendedLabel(), HangDetector.STEP);
		PropertyExecutionResult result = property.execute();
		HangDetector.begin("What follows " + context.extendedLabel(), HangDetector.STEP);
		return result;
	}

	@Override
	public PropagationMode propagateTo() {
		return PropagationMode.ALL_DESCENDANTS;
	}

}
