package dev.ratelimit.rule;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * Internal: all rules of one kind of place. Immutable.
 *
 * @param kind the kind of place
 * @param rules the rules by id, ids in alphabetical order
 */
public record RuleLayer(Origin.Kind kind, Map<String, WrittenRule> rules) {

	public RuleLayer {
		rules = Collections.unmodifiableMap(new TreeMap<>(rules));
	}

}
