package dev.ratelimit.rule;

import java.util.Map;

/**
 * Internal: reads entries of documents as {@code ratelimit.rules} reads properties,
 * without resolving placeholders. Thread-safe.
 */
@FunctionalInterface
public interface RuleReader {

	/**
	 * Read an entry.
	 * @param location the location of the entry, as shown in messages, such as
	 * {@code redis 13: rules.search}
	 * @param entry the properties: nested maps, lists, and texts
	 * @return the definition
	 * @throws dev.ratelimit.rule.InvalidRuleException if a property does not exist or its
	 * value is invalid
	 */
	RuleDefinition read(String location, Map<String, Object> entry);

}
