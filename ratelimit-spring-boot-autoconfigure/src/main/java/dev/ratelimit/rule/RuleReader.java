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
	 * @param location where the entry is, as messages name it, such as
	 * {@code redis 13: rules.search}
	 * @param entry the properties: nested maps, lists, and texts
	 * @return what is written there
	 * @throws dev.ratelimit.rule.InvalidRuleException if a property does not exist, or
	 * its value cannot be used
	 */
	RuleDefinition read(String location, Map<String, Object> entry);

}
