package dev.ratelimit.live;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

import dev.ratelimit.actuate.LiveRequest;
import dev.ratelimit.actuate.LiveResource;
import dev.ratelimit.actuate.RateLimitLiveEndpoint;

/**
 * Internal: the source of live rules, and the state of this instance.
 *
 * @param rules the live rules, if there is a source
 * @param switches the switches
 */
public record LiveOverview(Optional<LiveRules> rules, Switches switches) implements LiveResource {

	@Override
	public String name() {
		return RateLimitLiveEndpoint.OVERVIEW;
	}

	@Override
	public Optional<Object> read(LiveRequest request) {
		return Optional.of(description());
	}

	/**
	 * Return the source, and the state of this instance.
	 * @return values by name
	 */
	public Map<String, Object> description() {
		Map<String, Object> description = new LinkedHashMap<>();
		description.put("source", this.rules.map((live) -> live.source().name()).orElse("none"));
		description.put("writable",
				this.rules.filter((live) -> live.source() instanceof WritableRuleSource).isPresent());
		this.rules.map(LiveRules::status).ifPresent((status) -> add(description, status));
		description.put("switches", this.switches.active().size());
		return description;
	}

	private static void add(Map<String, Object> description, LiveStatus status) {
		description.put("version", status.version());
		description.put("digest", status.digest());
		description.put("base", status.base());
		status.rejected().ifPresent((reason) -> description.put("rejected", reason));
		description.put("notApplied", status.notApplied().stream().map(Object::toString).toList());
		description.put("changedBase", status.changedBase());
		description.put("sourceAgeMillis", status.sourceAgeMillis());
		status.trouble().ifPresent((reason) -> description.put("trouble", reason));
	}

}
