package dev.ratelimit.autoconfigure;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

import dev.ratelimit.BanKind;
import dev.ratelimit.rule.BanTerms;
import dev.ratelimit.rule.InvalidRuleException;
import dev.ratelimit.rule.RuleOptions;
import dev.ratelimit.rule.StatusSet;

import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.context.properties.bind.Name;

/**
 * The conditions for bans and marks of clients.
 *
 * @param after Number of strikes that ban, from 1 to 10000.
 * @param within Time in which the strikes must occur.
 * @param strikes Events that are strikes: rejected (the rule rejects a request), and
 * response statuses such as 401 or 4xx.
 * @param duration How long the first ban lasts.
 * @param growth Factor by which each further ban is longer, from 1 to 100.
 * @param max Maximum duration of a ban.
 * @param forget How long after its end a ban makes the next one longer.
 * @param as Whether to reject all requests of the client (ban), or to mark them for
 * handlers (mark).
 */
record BanProperties(@DefaultValue("10") int after, @DefaultValue("10m") Duration within,
		@DefaultValue("rejected") List<String> strikes, @Name("for") @DefaultValue("15m") Duration duration,
		@DefaultValue("1") double growth, @DefaultValue("24h") Duration max, @DefaultValue("24h") Duration forget,
		@DefaultValue("ban") BanKind as) implements RuleOptions.BoundOption {

	private static final String REJECTED = "rejected";

	@Override
	public BanTerms read(String location) {
		List<String> statuses = this.strikes.stream().filter((strike) -> !strike.equals(REJECTED)).toList();
		return new BanTerms(this.after, this.within, this.strikes.contains(REJECTED),
				(statuses.isEmpty()) ? Optional.empty() : Optional.of(statuses(location, statuses)), this.duration,
				this.growth, this.max, this.forget, this.as);
	}

	private static StatusSet statuses(String location, List<String> texts) {
		try {
			return StatusSet.of(texts);
		}
		catch (IllegalArgumentException ex) {
			throw new InvalidRuleException(location + ".strikes", texts.toString(), String.valueOf(ex.getMessage()),
					"Use 'rejected', and statuses such as 401 or 4xx.");
		}
	}

}
