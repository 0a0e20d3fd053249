package dev.ratelimit.autoconfigure;

import java.util.List;

import dev.ratelimit.rule.InvalidRuleException;
import dev.ratelimit.rule.RuleOptions;
import dev.ratelimit.rule.StatusSet;

import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Response statuses.
 *
 * @param status HTTP statuses, such as 401 or 5xx.
 */
record StatusProperties(@DefaultValue List<String> status) implements RuleOptions.BoundOption {

	/**
	 * Return the statuses in their configured form, for messages.
	 * @return such as {@code [401, 5xx]}
	 */
	@Override
	public String toString() {
		return this.status.toString();
	}

	@Override
	public StatusSet read(String location) {
		try {
			return StatusSet.of(this.status);
		}
		catch (IllegalArgumentException ex) {
			throw new InvalidRuleException(location + ".status", this.status.toString(),
					String.valueOf(ex.getMessage()), "Use statuses such as 401 or 5xx.");
		}
	}

}
