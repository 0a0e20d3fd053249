package dev.ratelimit.autoconfigure;

import java.time.Duration;

import dev.ratelimit.rule.RuleOptions;
import dev.ratelimit.rule.Tarpit;

import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Rejections that are sent after a delay.
 *
 * @param delay Delay of a rejection, give or take a fifth; up to 30s.
 * @param max Maximum number of rejections of one instance that are delayed at a time.
 * Further ones are sent at once.
 */
record TarpitProperties(@DefaultValue("5s") Duration delay,
		@DefaultValue("100") int max) implements RuleOptions.BoundOption {

	@Override
	public Tarpit read(String location) {
		return new Tarpit(this.delay, this.max);
	}

}
