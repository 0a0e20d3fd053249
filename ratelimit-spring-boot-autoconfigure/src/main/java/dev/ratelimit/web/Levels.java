package dev.ratelimit.web;

import java.util.List;

import dev.ratelimit.Criticality.Level;
import dev.ratelimit.address.IpNetworks;
import dev.ratelimit.base.Authorities;
import org.jspecify.annotations.Nullable;

/**
 * Internal: finds the level of a request, by the header of a trusted upstream, otherwise
 * by the first rule that covers it, otherwise by the annotation of its handler.
 * Immutable, except for the counts.
 *
 * @param header the header; empty if no header is trusted
 * @param upstreams the peers that may set the header
 * @param rules the rules, in order
 * @param authorities reads the authorities of clients
 * @param counts counts requests with the header
 */
public record Levels(String header, IpNetworks upstreams, List<LevelRule> rules, Authorities authorities,
		LevelHeaderCounts counts) {

	/** All requests have the level of their handler. */
	public static final Levels NONE = new Levels("", IpNetworks.NONE, List.of(), Authorities.NONE,
			new LevelHeaderCounts());

	private static final Level[] LEVELS = Level.values();

	/**
	 * Copies the rules.
	 */
	public Levels {
		rules = List.copyOf(rules);
	}

	/**
	 * The level of a request.
	 * @param request the request
	 * @param annotated the level of the handler that serves it, if it has one
	 * @return the level, and whether the request takes no seat
	 */
	public LevelRule of(GateRequest request, @Nullable Level annotated) {
		LevelRule rule = rule(request);
		Level declared = declared(request);
		if (declared != null) {
			return rule.with(declared);
		}
		return (rule.level() != null) ? rule : rule.with((annotated != null) ? annotated : Level.NORMAL);
	}

	/**
	 * Whether some levels depend on authentication.
	 * @return whether a rule contains an authority
	 */
	boolean needPrincipal() {
		return this.rules.stream().anyMatch((rule) -> !rule.authority().isEmpty());
	}

	/**
	 * Whether requests may have a level that their handler does not set.
	 * @param level the level
	 * @return whether a rule or a trusted upstream can set it
	 */
	boolean mayBe(Level level) {
		return !this.header.isEmpty() || this.rules.stream().anyMatch((rule) -> rule.level() == level);
	}

	/**
	 * Count a request if it has the header.
	 * @param request the request
	 */
	public void count(GateRequest request) {
		if (!this.header.isEmpty() && request.header(this.header).isPresent()) {
			this.counts.count(this.upstreams.contains(request.client().peer()));
		}
	}

	private LevelRule rule(GateRequest request) {
		for (int i = 0; i < this.rules.size(); i++) {
			LevelRule rule = this.rules.get(i);
			if (rule.covers(request, this.authorities)) {
				return rule;
			}
		}
		return LevelRule.ALL;
	}

	private @Nullable Level declared(GateRequest request) {
		if (this.header.isEmpty() || !this.upstreams.contains(request.client().peer())) {
			return null;
		}
		String word = request.header(this.header).orElse("");
		for (Level level : LEVELS) {
			if (level.name().equalsIgnoreCase(word)) {
				return level;
			}
		}
		return null;
	}

}
