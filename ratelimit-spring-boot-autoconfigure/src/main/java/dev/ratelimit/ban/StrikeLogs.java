package dev.ratelimit.ban;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import dev.ratelimit.engine.CompiledRule;
import dev.ratelimit.rule.BanTerms;

/**
 * The strike logs of the rules. Thread-safe.
 */
final class StrikeLogs {

	private final Map<String, StrikeLog> logs = new ConcurrentHashMap<>();

	StrikeLog of(CompiledRule rule) {
		String id = rule.rule().id();
		BanTerms terms = rule.rule().reaction().excess().ban().orElseThrow();
		StrikeLog log = this.logs.get(id);
		if (log == null || !log.terms().equals(terms)) {
			log = StrikeLog.of(id, terms);
			this.logs.put(id, log);
		}
		return log;
	}

}
