package dev.ratelimit.record;

import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * Generates rules with random options, as properties. Many rules are invalid.
 */
final class RandomRules {

	private static final List<String> ALGORITHMS = List.of("token-bucket", "gcra", "leaky-bucket", "fixed-window",
			"sliding-window", "sliding-log");

	private static final List<String> LIMITS = List.of("1/s", "7/min", "100/h", "3/d", "20/5s", "1000/15min");

	private static final List<String> SLOT_LIMITS = List.of("1", "7", "100");

	private static final Map<String, List<String>> OPTIONS = new TreeMap<>(Map.ofEntries(
			Map.entry("methods", List.of("GET", "POST,PUT", "get")),
			Map.entry("except-paths", List.of("/a/b", "/c/**")),
			Map.entry("key",
					List.of("ip", "user", "global", "ip,route", "header:X-Tenant", "path:id", "param:q",
							"form:username", "claim:sub", "caller")),
			Map.entry("burst", List.of("1", "20", "500")), Map.entry("zone", List.of("UTC", "Europe/Berlin")),
			Map.entry("credit", List.of("5", "50")), Map.entry("lease", List.of("10s", "1m")),
			Map.entry("max-hold", List.of("1h", "2h")), Map.entry("cost", List.of("2", "header:X-Cost", "param:n")),
			Map.entry("failure", List.of("open", "closed", "local")),
			Map.entry("mode", List.of("enforce", "shadow", "off")), Map.entry("enforce", List.of("25%", "99%")),
			Map.entry("on-excess", List.of("reject", "degrade", "tarpit")),
			Map.entry("on-missing-key", List.of("ip", "shared", "skip", "deny")),
			Map.entry("phase", List.of("early", "late")), Map.entry("status", List.of("429", "503")),
			Map.entry("idempotency", List.of("true", "false")),
			Map.entry("refund.status", List.of("304", "500,502", "4xx")),
			Map.entry("count-only.status", List.of("401", "401,403")), Map.entry("bucket", List.of("shared-bucket")),
			Map.entry("consistency", List.of("strict", "leased")), Map.entry("allow", List.of("10.0.0.0/8", "::1")),
			Map.entry("deny", List.of("192.0.2.1", "2001:db8::/32")),
			Map.entry("bypass-authorities", List.of("ROLE_ADMIN", "ROLE_A,ROLE_B")),
			Map.entry("wait", List.of("1s", "250ms")), Map.entry("locked", List.of("true", "false")),
			Map.entry("plans.paid.limit", List.of("50/min", "9/s")),
			Map.entry("overrides[acme].limit", List.of("60/min", "8/s")), Map.entry("ban.after", List.of("10", "100")),
			Map.entry("ban.within", List.of("1m", "1h")), Map.entry("ban.for", List.of("10m", "1d"))));

	private final SplittableRandom random;

	RandomRules(long seed) {
		this.random = new SplittableRandom(seed);
	}

	/**
	 * Return the properties of some rules.
	 * @return the values by property names below {@code ratelimit.rules}
	 */
	Map<String, String> next() {
		Map<String, String> properties = new TreeMap<>();
		IntStream.rangeClosed(1, 1 + this.random.nextInt(3))
			.forEach((number) -> rule("ratelimit.rules.rule" + number + ".", properties));
		return properties;
	}

	private void rule(String prefix, Map<String, String> properties) {
		properties.put(prefix + "paths", "/" + this.random.nextInt(9) + "/**");
		boolean slots = this.random.nextInt(6) == 0;
		properties.put(prefix + "algorithm", (slots) ? "concurrency" : one(ALGORITHMS));
		properties.put(prefix + "limit", one((slots) ? SLOT_LIMITS : LIMITS));
		OPTIONS.forEach((option, values) -> {
			if (this.random.nextInt(12) == 0) {
				properties.put(prefix + option, one(values));
			}
		});
	}

	private String one(List<String> values) {
		return values.get(this.random.nextInt(values.size()));
	}

}
