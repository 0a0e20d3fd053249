package dev.ratelimit.method;

import java.util.Optional;

import dev.ratelimit.engine.WaitingPlaces;
import dev.ratelimit.gate.Call;
import dev.ratelimit.gate.CallOrigin;
import org.jspecify.annotations.Nullable;
import reactor.util.context.ContextView;

/**
 * A call of a limited method.
 *
 * @param user the name of the user; empty if there is none
 * @param arguments the arguments of the call
 * @param waitingPlaces the places for the thread of a call that waits
 * @param origin finds the request that calls the method
 * @param subscription the context of the subscription; empty for a call that blocks
 */
record MethodCall(Optional<String> user, @Nullable Object[] arguments, Optional<WaitingPlaces> waitingPlaces,
		CallOrigin origin, ContextView subscription) implements Call {

	@Override
	public boolean isCrossSite() {
		return this.origin.isCrossSite(this.subscription);
	}

}
