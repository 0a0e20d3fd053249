package dev.ratelimit.live;

import java.time.Duration;
import java.util.Optional;

import dev.ratelimit.RuleMode;
import dev.ratelimit.rule.ShownText;

/**
 * Internal: a user's request for a switch. Immutable.
 *
 * @param rule the id of the rule; empty for all rules
 * @param mode the mode
 * @param duration the duration
 * @param user the user
 * @param note the reason; may be empty
 * @param instanceOnly whether the switch applies only to this instance
 */
public record SwitchRequest(Optional<String> rule, RuleMode mode, Duration duration, String user, String note,
		boolean instanceOnly) {

	/** The default duration of a switch. */
	public static final Duration DEFAULT_DURATION = Duration.ofHours(1);

	private static final Duration MIN_DURATION = Duration.ofSeconds(1);

	/** The maximum duration of a switch. */
	public static final Duration MAX_DURATION = Duration.ofDays(7);

	public SwitchRequest {
		if (mode == RuleMode.ENFORCE) {
			throw new IllegalArgumentException("'mode' must be 'off' or 'shadow'; to end a switch, delete it");
		}
		if (duration.compareTo(MIN_DURATION) < 0 || duration.compareTo(MAX_DURATION) > 0) {
			throw new IllegalArgumentException("'duration' must be between 1 s and 7 d");
		}
		note = ShownText.requireNote(note);
		user = ShownText.of(user);
	}

}
