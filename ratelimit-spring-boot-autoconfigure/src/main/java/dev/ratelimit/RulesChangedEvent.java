package dev.ratelimit;

import java.util.Set;

/**
 * Published as an application event when this instance has made other rules active. The
 * listeners are called on a separate thread, one event after the other, so that a
 * listener that fails or is slow does not affect the rules. If the listeners are too
 * slow, the oldest events are dropped.
 *
 * @param source the name of the source of the rules, such as {@code redis}
 * @param version the version of the source that is now active
 * @param rules the ids of the rules that have changed, were added, or were removed
 * @since 0.1.0
 */
public record RulesChangedEvent(String source, long version, Set<String> rules) {

	public RulesChangedEvent {
		rules = Set.copyOf(rules);
	}

}
