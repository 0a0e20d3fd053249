package dev.ratelimit.live.edit;

import java.util.Map;
import java.util.Optional;

import dev.ratelimit.actuate.LiveRequest;
import dev.ratelimit.actuate.LiveResource;
import dev.ratelimit.engine.Editions;

/**
 * Internal: the resource {@code rates}, and {@code rates/search} for the rule
 * {@code search}: the requests of the last hour on this instance.
 *
 * @param instance this instance
 * @param history the counts
 * @param editions the editions of the rules
 */
record LiveRatesResource(LivePageResource.Instance instance, RateHistory history,
		Editions editions) implements LiveResource {

	@Override
	public String name() {
		return "rates";
	}

	@Override
	public Optional<Object> read(LiveRequest request) {
		if (request.path().isEmpty()) {
			return Optional.of(described(this.history.all()));
		}
		String rule = request.path().get(0);
		boolean known = request.path().size() == 1 && this.editions.current().rules().rules().containsKey(rule);
		return (known) ? Optional.of(described(this.history.of(rule))) : Optional.empty();
	}

	private Map<String, Object> described(Map<String, Object> rates) {
		rates.put("instance", this.instance);
		return rates;
	}

}
