package dev.ratelimit.benchmarks;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

import dev.ratelimit.Decision;
import dev.ratelimit.RateLimiter;
import dev.ratelimit.engine.Editions;
import dev.ratelimit.live.EffectiveRules;
import dev.ratelimit.live.RuleSource;
import dev.ratelimit.live.edit.EditRequest;
import dev.ratelimit.live.edit.RuleEditor;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * An application with one rule that can be changed while the application runs.
 *
 * @param context the context of the application
 * @param limiter the limiter of the application
 */
record LiveApplication(ConfigurableApplicationContext context, RateLimiter limiter) implements Contestant {

	static final String RULE = "bench";

	/**
	 * Start an application. Applications with the same name share rules and buckets.
	 */
	static LiveApplication onRedis(RedisAddress redis, String name, boolean live, String limit) {
		return onRedis(redis, name, live, limit, Map.of());
	}

	static LiveApplication onRedis(RedisAddress redis, String name, boolean live, String limit,
			Map<String, Object> more) {
		Map<String, Object> properties = new LinkedHashMap<>(more);
		properties.put("spring.application.name", name);
		properties.put("ratelimit.store", "redis");
		properties.put("ratelimit.redis.host", redis.host());
		properties.put("ratelimit.redis.port", redis.port());
		properties.put("ratelimit.deadline", "5s");
		properties.put("ratelimit.max-in-flight", "100000");
		properties.put("ratelimit.defaults.failure", "closed");
		properties.put("ratelimit.live.source", (live) ? "redis" : "none");
		return start(limit, properties);
	}

	static LiveApplication inMemory(String limit, Map<String, Object> more) {
		Map<String, Object> properties = new LinkedHashMap<>(more);
		properties.put("ratelimit.store", "memory");
		return start(limit, properties);
	}

	private static LiveApplication start(String limit, Map<String, Object> properties) {
		properties.put("spring.main.banner-mode", "off");
		properties.put("spring.autoconfigure.exclude", String.join(",", OurApplication.othersAutoConfigurations()));
		properties.put("ratelimit.rules." + RULE + ".programmatic", true);
		properties.put("ratelimit.rules." + RULE + ".limit", limit);
		ConfigurableApplicationContext context = new SpringApplicationBuilder(OurApplication.Beans.class)
			.web(WebApplicationType.NONE)
			.logStartupInfo(false)
			.properties(properties)
			.run();
		return new LiveApplication(context, context.getBean(RateLimiter.class));
	}

	Editions editions() {
		return this.context.getBean(Editions.class);
	}

	/**
	 * Change the limit of the rule, as the endpoint does.
	 */
	void edit(String limit) {
		RuleEditor editor = new RuleEditor(Optional.of(this.context.getBean(RuleSource.class)),
				this.context.getBean(EffectiveRules.class), (event) -> {
				}, List::of);
		long version = editor.present().map((document) -> document.version()).orElse(0L);
		editor.write(RULE, "limit: " + limit, new EditRequest(version, "bench", "", false));
	}

	@Override
	public CompletionStage<Boolean> decide(String key) {
		return this.limiter.acquire(RULE, key).toFuture().thenApply(Decision::allowed);
	}

	@Override
	public boolean decideNow(String key) {
		return this.limiter.acquireBlocking(RULE, key).allowed();
	}

	/**
	 * Return this application as a contestant that is expected to reject every request.
	 */
	Contestant rejecting() {
		return new Contestant() {

			@Override
			public CompletionStage<Boolean> decide(String key) {
				return LiveApplication.this.decide(key).thenApply((allowed) -> !allowed);
			}

			@Override
			public boolean decideNow(String key) {
				return !LiveApplication.this.decideNow(key);
			}

			@Override
			public void close() {
				LiveApplication.this.close();
			}

		};
	}

	@Override
	public void close() {
		this.context.close();
	}

}
