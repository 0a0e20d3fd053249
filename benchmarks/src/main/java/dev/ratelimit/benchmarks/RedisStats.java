package dev.ratelimit.benchmarks;

import java.time.Duration;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;

/**
 * Reads the statistics of the server, over a connection of its own.
 */
public final class RedisStats implements AutoCloseable {

	private static final Pattern CALLS = Pattern.compile("cmdstat_([^:]+):calls=(\\d+)");

	private static final Pattern CPU_SECONDS = Pattern.compile("used_cpu_(?:user|sys):([\\d.]+)");

	private static final Pattern USED_MEMORY = Pattern.compile("used_memory:(\\d+)");

	private static final Pattern VERSION = Pattern.compile("redis_version:(\\S+)");

	private final RedisClient client;

	private final StatefulRedisConnection<String, String> connection;

	public RedisStats(RedisAddress redis) {
		this.client = redis.newClient();
		this.connection = this.client.connect();
		this.connection.setTimeout(Duration.ofMinutes(1));
	}

	void flush() {
		this.connection.sync().flushall();
	}

	void resetCommandCounts() {
		this.connection.sync().configResetstat();
	}

	CommandCounts commandCounts() {
		Map<String, Long> calls = CALLS.matcher(info("commandstats"))
			.results()
			.collect(Collectors.toMap((match) -> match.group(1), (match) -> Long.parseLong(match.group(2))));
		return new CommandCounts(calls);
	}

	public double cpuMicros() {
		return CPU_SECONDS.matcher(info("cpu"))
			.results()
			.mapToDouble((match) -> Double.parseDouble(match.group(1)))
			.sum() * 1e6;
	}

	long usedMemory() {
		return USED_MEMORY.matcher(info("memory"))
			.results()
			.mapToLong((match) -> Long.parseLong(match.group(1)))
			.findFirst()
			.orElseThrow();
	}

	long keys() {
		return this.connection.sync().dbsize();
	}

	String anyKey() {
		return this.connection.sync().randomkey();
	}

	long memoryUsage(String key) {
		return this.connection.sync().memoryUsage(key);
	}

	String version() {
		return VERSION.matcher(info("server")).results().map(this::firstGroup).findFirst().orElse("unknown");
	}

	private String firstGroup(MatchResult match) {
		return match.group(1);
	}

	private String info(String section) {
		return this.connection.sync().info(section);
	}

	@Override
	public void close() {
		this.connection.close();
		this.client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
	}

}
