package dev.ratelimit.benchmarks;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

import dev.ratelimit.Decision;
import dev.ratelimit.candidate.CandidateStore;
import dev.ratelimit.engine.RateLimitEngine;

/**
 * An application with ten rules, each of which limits a tenth of the keys.
 *
 * @param application the application
 */
record TenRules(LiveApplication application) implements Contestant {

	static final int RULES = 10;

	static TenRules onRedis(RedisAddress redis, String name) {
		Map<String, Object> properties = new LinkedHashMap<>();
		for (int i = 0; i < RULES; i++) {
			properties.put("ratelimit.rules." + rule(i) + ".programmatic", true);
			properties.put("ratelimit.rules." + rule(i) + ".limit", "6000/h");
		}
		return new TenRules(LiveApplication.onRedis(redis, name, true, "6000/h", properties));
	}

	private static String rule(int index) {
		return "bench-" + index;
	}

	private static String ruleOf(String key) {
		return rule(Math.floorMod(key.hashCode(), RULES));
	}

	/**
	 * Compare the active rules with a candidate from now on.
	 * @param changed the number of rules that the candidate changes
	 */
	void propose(int changed) throws InterruptedException {
		Map<String, Object> entries = new LinkedHashMap<>();
		for (int i = 0; i < changed; i++) {
			entries.put(rule(i), Map.of("limit", "5000/h"));
		}
		this.application.context()
			.getBean(CandidateStore.class)
			.write(Optional.empty(), entries, "bench", "to be measured");
		RateLimitEngine engine = this.application.context().getBean(RateLimitEngine.class);
		LiveInstances.await(() -> engine.trial(engine.editions().current()) != null);
	}

	@Override
	public CompletionStage<Boolean> decide(String key) {
		return this.application.limiter().acquire(ruleOf(key), key).toFuture().thenApply(Decision::allowed);
	}

	@Override
	public boolean decideNow(String key) {
		return this.application.limiter().acquireBlocking(ruleOf(key), key).allowed();
	}

	@Override
	public void close() {
		this.application.close();
	}

}
