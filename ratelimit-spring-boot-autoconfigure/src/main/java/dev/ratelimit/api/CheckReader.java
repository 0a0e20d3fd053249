package dev.ratelimit.api;

import java.util.Optional;

import dev.ratelimit.engine.RetryKey;
import dev.ratelimit.gate.CallReader;
import dev.ratelimit.web.ExplainRequest;
import dev.ratelimit.web.GateRequest;
import dev.ratelimit.web.RequestGate;

/**
 * Reads what the request to the API says.
 *
 * @param gate finds plans that the request does not name
 * @param described the request
 * @param retry the key of the request to the API
 */
record CheckReader(RequestGate gate, ExplainRequest described,
		Optional<RetryKey> retry) implements CallReader<GateRequest> {

	@Override
	public Optional<String> plan(GateRequest call) {
		return this.described.plan().or(() -> this.gate.settings().plan(call));
	}

	@Override
	public Optional<RetryKey> retryKey(GateRequest call) {
		return this.retry;
	}

}
