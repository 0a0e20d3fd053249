package dev.ratelimit.autoconfigure;

import java.time.Duration;
import java.util.Optional;

import dev.ratelimit.rule.InvalidRuleException;
import dev.ratelimit.rule.KeyPart;
import dev.ratelimit.rule.RuleOptions;
import dev.ratelimit.rule.Waiting;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.convert.DurationStyle;

/**
 * The wait of requests that exceed the limits of a rule: a duration such as 2s, or an
 * object.
 *
 * @param max Maximum wait, up to 30s.
 * @param queue Maximum number of requests that wait for one bucket.
 * @param fairBy Key whose values take turns, such as 'caller'. By default, 'caller' if
 * all clients share the buckets of the rule.
 */
record WaitProperties(@Nullable Duration max, @DefaultValue("" + Waiting.DEFAULT_QUEUE) int queue,
		@Nullable String fairBy) implements RuleOptions.BoundOption {

	/**
	 * Return a wait that is written as text.
	 * @param text the maximum wait, such as {@code 2s}
	 * @return the wait
	 */
	public static WaitProperties of(String text) {
		return new WaitProperties(DurationStyle.detectAndParse(text), Waiting.DEFAULT_QUEUE, null);
	}

	@Override
	public Waiting read(String location) {
		Optional<KeyPart> turns = Optional.ofNullable(this.fairBy).map((text) -> key(location + ".fair-by", text));
		if (this.max == null) {
			throw new InvalidRuleException(location + ".max", "", "the maximum wait is missing", "Set it, such as 2s.");
		}
		return new Waiting(this.max, this.queue, turns);
	}

	private static KeyPart key(String location, String text) {
		try {
			KeyPart key = KeyPart.parse(text);
			if (key.kind() == KeyPart.Kind.FORM) {
				throw new IllegalArgumentException("requests wait before their form is read");
			}
			return key;
		}
		catch (IllegalArgumentException ex) {
			throw new InvalidRuleException(location, text, String.valueOf(ex.getMessage()),
					"Use a key such as 'caller' or 'ip'.");
		}
	}

}
