package dev.ratelimit.candidate;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import dev.ratelimit.Decision;
import dev.ratelimit.RateLimiter;
import dev.ratelimit.RuleCharge;
import dev.ratelimit.engine.RateLimitEngine;
import dev.ratelimit.live.EffectiveRules;
import dev.ratelimit.live.RuleDocument;
import dev.ratelimit.test.redis.TestRedis;
import org.awaitility.Awaitility;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

/**
 * An application with a candidate in Redis.
 */
public final class CandidateApplication implements AutoCloseable {

	private final ConfigurableApplicationContext context;

	public CandidateApplication(TestRedis redis, String name, String... properties) {
		List<String> all = new ArrayList<>(List.of("--spring.main.banner-mode=off", "--spring.application.name=" + name,
				"--ratelimit.redis.host=" + redis.host(), "--ratelimit.redis.port=" + redis.port(),
				"--ratelimit.live.source=redis", "--ratelimit.rules.search.programmatic=true",
				"--ratelimit.rules.other.programmatic=true", "--ratelimit.rules.other.limit=1000000/h"));
		all.addAll(List.of(properties));
		this.context = new SpringApplicationBuilder(Application.class).web(WebApplicationType.NONE)
			.run(all.toArray(String[]::new));
	}

	public <T> T bean(Class<T> type) {
		return this.context.getBean(type);
	}

	public RateLimitEngine engine() {
		return bean(RateLimitEngine.class);
	}

	public void candidate(String rule, Map<String, Object> entry) {
		bean(CandidateStore.class).write(bean(EffectiveRules.class).document(), Map.of(rule, entry), "alice", "why");
		awaitCandidate();
	}

	public void awaitCandidate() {
		Awaitility.await().until(() -> engine().trial(engine().editions().current()) != null);
	}

	public long version() {
		return bean(EffectiveRules.class).document().map(RuleDocument::version).orElse(0L);
	}

	public Decision charge(String rule, String subject, long cost) {
		return bean(RateLimiter.class).acquireBlocking(rule, subject, cost);
	}

	Decision chargeBoth(String subject, long cost) {
		return bean(RateLimiter.class)
			.acquireBlocking(List.of(RuleCharge.of("search", subject, cost), RuleCharge.of("other", subject, cost)));
	}

	long count(String rule, CandidateDifference difference) {
		CandidateReport report = bean(LiveCandidate.class).report().orElseThrow();
		return report.counts().getOrDefault(rule, Map.of()).getOrDefault(difference.field(), 0L);
	}

	public List<Long> counts(String rule) {
		return List.of(count(rule, CandidateDifference.SAME), count(rule, CandidateDifference.WOULD_REJECT),
				count(rule, CandidateDifference.WOULD_ALLOW), count(rule, CandidateDifference.SKIPPED));
	}

	@Override
	public void close() {
		this.context.close();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

	}

}
