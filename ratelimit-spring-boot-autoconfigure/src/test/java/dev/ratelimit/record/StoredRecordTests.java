package dev.ratelimit.record;

import java.io.IOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.ratelimit.RateLimiter;
import dev.ratelimit.autoconfigure.EnableAuto;
import dev.ratelimit.test.redis.TestRedis;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;

/**
 * Tests the data in Redis that instances of several versions share: the keys of states,
 * and the scripts that read and write them. A change of either changes the record, and
 * must be described on the page "Upgrading".
 */
@Tag("redis")
class StoredRecordTests {

	private static final Map<String, String> RULES = new TreeMap<>(
			Map.of("bucket", "limit=5/min", "credit", "limit=5/min burst 30", "gcra", "limit=5/min algorithm=gcra",
					"leaky", "limit=5/s algorithm=leaky-bucket", "fixed", "limit=5/min algorithm=fixed-window",
					"sliding", "limit=5/min algorithm=sliding-window", "log", "limit=5/min algorithm=sliding-log",
					"slots", "limit=5 algorithm=concurrency", "joint", "limits=5/s,100/h"));

	@Test
	void scriptsAreWhatTheyWere() throws IOException, NoSuchAlgorithmException {
		Resource[] scripts = new PathMatchingResourcePatternResolver()
			.getResources("classpath:META-INF/ratelimit/lua/*.lua");
		StringBuilder text = new StringBuilder();
		for (Resource script : Stream.of(scripts).sorted(Comparator.comparing(Resource::getFilename)).toList()) {
			byte[] hash = MessageDigest.getInstance("SHA-256").digest(script.getContentAsByteArray());
			text.append(script.getFilename()).append(' ').append(HexFormat.of().formatHex(hash)).append('\n');
		}
		Recording.check("scripts.txt", text.toString());
	}

	@Test
	void keysAreWhatTheyWere() {
		try (TestRedis redis = TestRedis.start()) {
			EnableAuto.plain()
				.withPropertyValues("ratelimit.redis.host=" + redis.host(), "ratelimit.redis.port=" + redis.port(),
						"ratelimit.warm-up=0", "ratelimit.deadline=" + Duration.ofSeconds(5),
						"spring.application.name=record")
				.withPropertyValues(properties())
				.run((context) -> {
					RateLimiter limiter = context.getBean(RateLimiter.class);
					Set<String> keys = new TreeSet<>();
					RULES.keySet().forEach((rule) -> {
						// Some keys expire soon.
						Awaitility.await().until(() -> {
							limiter.acquireBlocking(rule, "user:ann");
							keys.addAll(redis.keys("*"));
							return keys.stream().anyMatch((key) -> key.contains("}:" + rule));
						});
					});
					Recording.check("keys.txt",
							keys.stream()
								.filter((key) -> !key.contains("self-test"))
								.map((key) -> key + "\n")
								.collect(Collectors.joining()));
				});
		}
	}

	private static String[] properties() {
		return RULES.entrySet().stream().flatMap((rule) -> {
			String prefix = "ratelimit.rules." + rule.getKey() + ".";
			String options = rule.getValue().replace(" algorithm", "\nalgorithm");
			return Stream.concat(Stream.of("key=user", "programmatic=true"), options.lines())
				.map((option) -> prefix + option);
		}).toArray(String[]::new);
	}

}
